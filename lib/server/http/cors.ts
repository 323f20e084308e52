import { takenHeaderNames } from '@/lib/protocol/e2ee/encryption-headers';

/**
 * Answer headers that pages of other origins may read. They are listed by name, because `*` does not work for requests
 * with credentials.
 */
const EXPOSED_HEADERS = [
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
  'X-Next-Cursor',
  'X-Receipt',
  'Ehbp-Response-Nonce',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
].join(', ');

/**
 * Request headers that pages of other origins may send. `*` allows the many headers of SDKs, such as OpenAI's nine
 * `x-stainless-…`. Some names are listed too, because `*` never covers Authorization, and older browsers ignore `*`.
 */
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
  'X-Receipt',
  ...takenHeaderNames(),
  '*',
].join(', ');

/** Pages of any origin may call, because credentials are sent in headers and never in cookies. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
};

export function preflightHeaders(methods: string): Record<string, string> {
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': '86400',
  };
}
