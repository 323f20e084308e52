import { z } from 'zod';
import { detailedErrorSchema, discoverySchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../openapi/operation';

const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Limit': 'The cap',
  'X-RateLimit-Remaining': 'What is left of it',
  'X-RateLimit-Reset': 'When it resets, in Unix seconds',
  'Retry-After': 'Seconds until then',
};

const payment = (name: string, description: string) => ({ name, in: 'header' as const, required: false, description, schema: z.string() });

const invalidPaymentSchema = z
  .object({
    error: z.literal('X402_INVALID_PAYMENT'),
    code: z.literal('X402_INVALID_PAYMENT'),
    hint: z.string(),
    message: z.string().describe('What is wrong'),
    details: z.object({ _errors: z.array(z.string()), reason: z.string().describe('Stable word') }).catchall(z.unknown()),
  })
  .meta({ id: 'InvalidPayment' });

const pendingSchema = z
  .object({
    error: z.string(),
    code: z.enum(['X402_PAYMENT_PENDING', 'X402_UNAVAILABLE', 'STORE_UNAVAILABLE']),
    hint: z.string(),
    paymentId: z.string().optional(),
    state: z.enum(['verified', 'submitted', 'settled']).optional(),
    message: z.string().optional(),
    expiresAt: z.string().nullable().optional().describe('After this the payment can no longer be executed'),
  })
  .meta({ id: 'PendingPayment' });

const v1Schema = z
  .object({
    x402Version: z.literal(1),
    error: z.string(),
    accepts: z.array(z.looseObject({ scheme: z.literal('exact'), network: z.string(), maxAmountRequired: z.string(), asset: z.string(), payTo: z.string() })),
  })
  .meta({ id: 'PaymentDiscoveryV1' });

/** POST /x402/top-up in the API description. */
export const topUpDocs: Operation = {
  id: 'topUp',
  summary: 'Put prepaid USDC on the balance of a wallet',
  description:
    'Without a payment header: 402 with what is accepted. With one of the three: the payment is verified, settled on chain and credited in full to the wallet that signed it. ' +
    'Amounts in "accepts" are the least; a larger exact payment is accepted. A payment that is sent again gets the same answer and is credited once.',
  credentials: [],
  parameters: [
    { name: 'amountUsd', in: 'query', required: false, description: 'Puts this amount into "accepts"; 5 or more', schema: z.string() },
    { name: 'x402Version', in: 'query', required: false, description: '1 answers in the form of x402 v1', schema: z.enum(['1', '2']) },
    payment('PAYMENT-SIGNATURE', 'Base64 of an x402 payment payload'),
    payment('X-PAYMENT', 'The same by its name of x402 v1'),
    payment('X-402-Payment', 'The same by a legacy name'),
  ],
  responses: {
    200: {
      description: 'Credited',
      schema: z.object({
        success: z.literal(true),
        data: z.object({ walletAddress: z.string(), amountCredited: z.number().describe('USD'), newBalance: z.number().describe('USD, right after this credit'), paymentId: z.string() }),
      }),
      headers: { 'PAYMENT-RESPONSE': 'Base64 of {success, network, payer, transaction}', 'X-PAYMENT-RESPONSE': 'The same for clients of x402 v1' },
    },
    400: { description: 'The payment is not valid, or failed for good; or the amount asked for is not', schema: z.union([invalidPaymentSchema, detailedErrorSchema]) },
    402: {
      description: 'No payment: what is accepted',
      schema: z.union([discoverySchema, v1Schema]),
      headers: { 'PAYMENT-REQUIRED': 'Base64 of an x402 v2 PaymentRequired object' },
    },
    429: { description: 'Too many requests from this address', schema: standardErrorSchema, headers: RATE_LIMIT_HEADERS },
    503: { description: 'Not credited yet: "state" says how far the payment is; sending the same payment again is safe and says how it went', schema: pendingSchema, headers: { 'Retry-After': 'Seconds' } },
  },
};
