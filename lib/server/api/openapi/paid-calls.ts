import { z } from 'zod';
import type { Operation, Sale } from '../../http/operation';
import type { Json } from './json-schema';

/**
 * Returns an operation's `x-payment-info`, in the nested form that all known clients support. Omits a request's maximum
 * cost, because the request's 402 states that cost.
 */
export function paymentInfo({ price }: Sale, minimumUsd: string): Json {
  return {
    price: { mode: 'dynamic', currency: 'USD', min: minimumUsd },
    protocols: [{ x402: {} }],
    description: price,
  };
}

export const paymentParameters: NonNullable<Operation['parameters']> = [
  {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description:
      'Base64 of an x402 v2 payment for one of the "accepts" of the 402. It pays for this request without another credential',
    schema: z.string(),
  },
  {
    name: 'X-PAYMENT',
    in: 'header',
    required: false,
    description: 'The same, under its x402 v1 name',
    schema: z.string(),
  },
  {
    name: 'x402Version',
    in: 'query',
    required: false,
    description: 'Set to 1 for 402 answers in the x402 v1 format',
    schema: z.enum(['1', '2']),
  },
];

/** Response header for a call that carried a payment. */
export const RECEIPT_HEADER = {
  'PAYMENT-RESPONSE': 'Base64 of {success, network, payer, transaction}; only if the call carried a payment',
} as const;

export const RECEIPT_PARAMETER = {
  name: 'X-Receipt',
  in: 'header',
  required: false,
  description: 'true to have a signed receipt made of the call, for GET /receipts/{request_id}',
  schema: z.enum(['true']),
} as const;

export const SIGNED_RECEIPT_HEADER = {
  'X-Receipt': 'Path of the signed receipt, which exists when the answer has ended; only with X-Receipt: true',
} as const;

export const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key and body within 24 hours return the stored answer without a charge. An answer that is too large to store is sent once, with Idempotency-Stored: false. Repeating that request gives 400 without a charge',
  schema: z.string().regex(/^[A-Za-z0-9_-]{1,255}$/),
} as const;

/** Headers that say whether an answer was stored under the request's Idempotency-Key. */
export const KEPT_ANSWER_HEADERS = {
  'Idempotent-Replayed': 'true, only if the answer was stored for an earlier request',
  'Idempotency-Stored':
    'false, only if the answer was too large to store under its Idempotency-Key, so it cannot be repeated',
} as const;
