import { paymentRequiredSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { ERRORS } from '@/lib/protocol/errors';
import { authOptions } from '../../auth/payment-challenge';
import { errorReply } from '../../http/error-reply';
import { fieldError } from '../../http/validation-error';

const ORIGIN = 'https://gateway.example';

/** Example 402 for a caller without a credential, for a call that costs at most 0.01 USD. */
export const DISCOVERY_EXAMPLE = {
  x402Version: 2,
  error: 'Payment required. Sign one of "accepts" and send the request again with it in the PAYMENT-SIGNATURE header.',
  code: 'PAYMENT_REQUIRED',
  hint: ERRORS.PAYMENT_REQUIRED.hint,
  resource: {
    url: `${ORIGIN}/api/v1/crypto/rpc/ethereum-mainnet`,
    description: 'Forward a JSON-RPC 2.0 request, or a batch of up to 100',
    mimeType: 'application/json',
  },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      amount: '10000',
      payTo: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      maxTimeoutSeconds: 300,
      extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' },
    },
  ],
  authOptions: authOptions(ORIGIN),
};

export const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Limit': 'The limit',
  'X-RateLimit-Remaining': 'What remains of the limit',
  'X-RateLimit-Reset': 'When the limit resets, in Unix seconds',
  'Retry-After': 'Seconds until the limit resets',
} as const;

/** Header of a 402 (x402 v2). */
export const PAYMENT_REQUIRED_HEADER = { 'PAYMENT-REQUIRED': 'Base64 of an x402 v2 PaymentRequired object' } as const;

export const TOO_MANY_FROM_ADDRESS = {
  description: 'Too many requests from this address',
  schema: standardErrorSchema,
  codes: ['MINUTE_CAP'],
  headers: RATE_LIMIT_HEADERS,
} as const;

/** Refusal by a caller's rate limit, which all of the caller's keys share. */
export const TOO_MANY_OF_CALLER = {
  description: 'Too many requests of this caller in a minute',
  schema: standardErrorSchema,
  codes: ['MINUTE_CAP'],
  headers: RATE_LIMIT_HEADERS,
} as const;

/** Refusals of every endpoint with a JSON body, by status. */
export const JSON_REFUSALS = {
  413: { description: 'The body is too large', schema: standardErrorSchema, codes: ['BODY_TOO_LARGE'] },
  415: {
    description: 'The Content-Type of the body is not JSON',
    schema: standardErrorSchema,
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
} as const;

/** Refusal of a payment whose identifier was used with other terms. */
export const PAYMENT_ID_REUSED = {
  description: 'The identifier of the payment was used with other terms',
  schema: standardErrorSchema,
  codes: ['X402_PAYMENT_ID_REUSED'],
} as const;

/** Additional refusals of endpoints that charge. */
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
  409: PAYMENT_ID_REUSED,
} as const;

/** Additional refusals of model endpoints: the caller's rate limit, and failures of the gateway. */
export const MODEL_REFUSALS = {
  ...PAID_REFUSALS,
  429: TOO_MANY_OF_CALLER,
  500: { description: 'The gateway failed', schema: standardErrorSchema, codes: ['INTERNAL'] },
} as const;

/** Refusals of model endpoints that never stream, including failures of the model server. */
export const WHOLE_ANSWER_REFUSALS = {
  ...MODEL_REFUSALS,
  404: { description: 'There is no such model', schema: standardErrorSchema, codes: ['MODEL_NOT_FOUND'] },
  502: {
    description: "The model's answer cannot be used",
    schema: standardErrorSchema,
    codes: ['MODEL_ANSWER_INVALID'],
  },
  503: {
    description: 'The model is unavailable or busy, or the gateway cannot reach its database',
    schema: standardErrorSchema,
    codes: ['MODEL_UNAVAILABLE', 'MODEL_BUSY', 'MODEL_MISCONFIGURED'],
    headers: { 'Retry-After': 'Seconds to wait, if the model is busy' },
  },
  504: { description: 'The model took too long', schema: standardErrorSchema, codes: ['MODEL_TIMEOUT'] },
} as const;

/** Returns the error body for one invalid field. */
export function faultyField(field: string, fault: string): unknown {
  return JSON.parse(String(errorReply(fieldError(field, fault)).body));
}
