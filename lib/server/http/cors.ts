import { takenHeaderNames } from '@/lib/protocol/e2ee/encryption-headers';

/** Headers that browsers may read; they honour no wildcard where credentials are involved, so each is named. */
export const EXPOSED_HEADERS = [
  'X-Service-RPC-Credits',
  'X-Service-RPC-Cost-USD',
  'X-Service-RPC-Agreement',
  'X-Service-Left-Out',
  'X-Service-Speech-Engine',
  'X-Service-Speech-Characters',
  'X-Service-Speech-Cost-USD',
  'X-Service-Profile',
  'X-Request-ID',
  'Idempotent-Replayed',
  'Idempotency-Stored',
  'X-Balance-Remaining',
  'Ehbp-Response-Nonce',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
].join(', ');

/** `*` lets pages send what their SDKs add of themselves (OpenAI's nine `x-stainless-…`); it never covers Authorization, and older browsers know the names alone. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'SIGN-IN-WITH-X',
  'X-Sign-In-With-X',
  'PAYMENT-SIGNATURE',
  'X-402-Payment',
  'X-PAYMENT',
  'Access-Control-Expose-Headers',
  ...takenHeaderNames(),
  '*',
].join(', ');

/** What every answer of a cross-origin endpoint carries. Credentials are headers, never cookies, so any origin may call. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
};

/** What a preflight is answered with beside them. */
export function preflightHeaders(methods: string): Record<string, string> {
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': '86400',
  };
}
