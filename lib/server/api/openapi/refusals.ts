import { paymentRequiredSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { DISCOVERY_EXAMPLE } from './discovery-example';

/** Headers of an answer that a cap refuses. */
export const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Limit': 'The cap',
  'X-RateLimit-Remaining': 'What is left of it',
  'X-RateLimit-Reset': 'When it resets, in Unix seconds',
  'Retry-After': 'Seconds until then',
} as const;

/** Header of an answer that asks for money (x402 v2). */
export const PAYMENT_REQUIRED_HEADER = { 'PAYMENT-REQUIRED': 'Base64 of an x402 v2 PaymentRequired object' } as const;

/** The cap on requests by client address. */
export const TOO_MANY_FROM_ADDRESS = {
  description: 'Too many requests from this address',
  schema: standardErrorSchema,
  codes: ['MINUTE_CAP'],
  headers: RATE_LIMIT_HEADERS,
} as const;

/** The cap on requests of a caller, over all its keys. */
export const TOO_MANY_OF_CALLER = {
  description: 'Too many requests of this caller in a minute',
  schema: standardErrorSchema,
  codes: ['MINUTE_CAP'],
  headers: RATE_LIMIT_HEADERS,
} as const;

/** What every endpoint that takes a JSON body may refuse with, by status. */
export const JSON_REFUSALS = {
  413: { description: 'The body is too large', schema: standardErrorSchema, codes: ['BODY_TOO_LARGE'] },
  415: {
    description: 'The Content-Type of the body is not JSON',
    schema: standardErrorSchema,
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
} as const;

/** What every endpoint that charges may refuse with besides. */
export const PAID_REFUSALS = {
  ...JSON_REFUSALS,
  401: {
    description: 'The credential is not valid',
    schema: standardErrorSchema,
    codes: ['INVALID_API_KEY', 'SIGN_IN_EXPIRED'],
  },
  402: {
    description: 'No credential (discovery), or too little balance',
    schema: paymentRequiredSchema,
    examples: { discovery: DISCOVERY_EXAMPLE },
    codes: ['INSUFFICIENT_BALANCE'],
    headers: PAYMENT_REQUIRED_HEADER,
  },
} as const;

/** The same of models, beside the proxy: a caller's cap, and the gateway's own failures. */
export const MODEL_REFUSALS = {
  ...PAID_REFUSALS,
  429: TOO_MANY_OF_CALLER,
  500: { description: 'The gateway failed', schema: standardErrorSchema, codes: ['INTERNAL'] },
} as const;
