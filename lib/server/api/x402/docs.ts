import { z } from 'zod';
import { detailedErrorSchema, discoverySchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../http/operation';
import { PAYMENT_REQUIRED_HEADER, TOO_MANY_FROM_ADDRESS, TOO_MANY_OF_CALLER } from '../openapi/refusals';

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
    code: z.enum(['X402_PAYMENT_PENDING', 'X402_BUSY', 'X402_UNAVAILABLE', 'STORE_UNAVAILABLE']),
    hint: z.string(),
    paymentId: z.string().optional(),
    state: z.enum(['verified', 'submitted', 'settled']).optional(),
    message: z.string().optional(),
    waitingFor: z.string().nullable().optional().describe('What it waits for once the chain has executed it, in a sentence'),
    expiresAt: z.string().nullable().optional().describe('After this the payment can no longer be executed'),
  })
  .meta({ id: 'PendingPayment' });

const v1Schema = z
  .object({
    x402Version: z.literal(1),
    error: z.string(),
    code: z.literal('PAYMENT_REQUIRED'),
    hint: z.string(),
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
      headers: PAYMENT_REQUIRED_HEADER,
    },
    429: TOO_MANY_FROM_ADDRESS,
    503: { description: 'Not credited yet: "state" says how far the payment is; sending the same payment again is safe and says how it went', schema: pendingSchema, headers: { 'Retry-After': 'Seconds' } },
  },
};

const walletParameter = { name: 'walletAddress', in: 'path' as const, required: true, description: 'An EVM or Solana address', schema: z.string() };

const WALLET_REFUSALS: Operation['responses'] = {
  401: { description: 'No sign-in, or one that does not hold', schema: standardErrorSchema },
  403: { description: 'The sign-in is of another wallet', schema: standardErrorSchema },
  429: TOO_MANY_OF_CALLER,
  503: { description: 'The chain of a wallet that is a contract, or the database, does not answer', schema: standardErrorSchema },
};

/** GET /x402/balance/{walletAddress} in the API description. */
export const walletBalanceDocs: Operation = {
  id: 'walletBalance',
  summary: 'What a wallet has prepaid',
  description: 'By sign-in of that wallet. Free of charge.',
  credentials: ['signInWithX'],
  parameters: [walletParameter],
  responses: {
    200: {
      description: 'The balance',
      schema: z.object({
        success: z.literal(true),
        data: z.object({
          walletAddress: z.string(),
          balanceUsd: z.number(),
          canConsume: z.boolean(),
          minimumTopUpUsd: z.number(),
          suggestedTopUpUsd: z.number(),
          diemBalanceUsd: z.number().optional().describe("What is left of today's allocation, which the wallet's keys spend"),
        }),
      }),
    },
    ...WALLET_REFUSALS,
  },
};

/** GET /x402/transactions/{walletAddress} in the API description. */
export const walletTransactionsDocs: Operation = {
  id: 'walletTransactions',
  summary: "What moved a wallet's prepaid balance, newest first",
  description: 'By sign-in of that wallet. Free of charge. Amounts are USD; charges are negative.',
  credentials: ['signInWithX'],
  parameters: [
    walletParameter,
    { name: 'limit', in: 'query', required: false, description: 'From 1 to 100; 50 unless given', schema: z.int().min(1).max(100) },
    { name: 'offset', in: 'query', required: false, description: 'From 0 to 10,000; 0 unless given', schema: z.int().min(0) },
  ],
  responses: {
    200: {
      description: 'A page',
      schema: z.object({
        success: z.literal(true),
        data: z.object({
          walletAddress: z.string(),
          currentBalance: z.number(),
          transactions: z.array(
            z.object({
              id: z.string(),
              amount: z.number(),
              balanceAfter: z.number(),
              type: z.enum(['TOP_UP', 'CHARGE', 'REFUND']),
              createdAt: z.string(),
              requestId: z.string().describe('Of a top-up, its paymentId'),
              modelId: z.string().nullable(),
            }),
          ),
          pagination: z.object({ limit: z.number(), offset: z.number(), hasMore: z.boolean() }),
        }),
      }),
    },
    400: { description: 'A parameter that is not valid', schema: detailedErrorSchema },
    ...WALLET_REFUSALS,
  },
};
