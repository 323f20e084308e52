import { z } from 'zod';
import type { Operation, Sale } from '../../http/operation';
import type { Json } from './json-schema';

/**
 * `x-payment-info` of an operation, in the one form that every reader of it takes: price and protocols, and nothing of
 * the flat form of earlier drafts. What a request costs at most is in its 402.
 */
export function paymentInfo({ price }: Sale, minimumUsd: string): Json {
  return {
    price: { mode: 'dynamic', currency: 'USD', min: minimumUsd },
    protocols: [{ x402: {} }],
    description: price,
  };
}

/** What a paid operation takes beside its own parameters. */
export const paymentParameters: NonNullable<Operation['parameters']> = [
  {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description:
      'Base64 of an x402 v2 payment over one of the "accepts" of the 402: pays for this request without any other credential',
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

/** Of an answer that was paid for with its call. */
export const RECEIPT_HEADER = {
  'PAYMENT-RESPONSE': 'Base64 of {success, network, payer, transaction}; only where a payment came with the call',
} as const;
