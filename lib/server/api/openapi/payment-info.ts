import { z } from 'zod';
import type { Operation, Sale } from '../../http/operation';
import type { Json } from './json-schema';

/**
 * Returns `x-payment-info` of an operation, in the nested form that all known readers support. The maximum cost of a
 * request is stated only in its 402.
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

/** Header of the answer to a call that carried a payment. */
export const RECEIPT_HEADER = {
  'PAYMENT-RESPONSE': 'Base64 of {success, network, payer, transaction}; only if the call carried a payment',
} as const;
