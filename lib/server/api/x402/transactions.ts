import { z } from 'zod';
import { detailedErrorSchema } from '@/lib/protocol/error-bodies';
import { readBalance } from '../../billing/usage/read-balance';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { readQuery } from '../../http/json-body';
import { listMovements, type Movement } from '../../payments/list-movements';
import { faultyField } from '../openapi/refusals';
import { identifyOwnWallet, WALLET_REFUSALS, walletParameter } from './own-wallet';
import type { Auth } from '../../auth/auth';
import type { Database, LedgerKind } from '../../db/schema';

const TRANSACTIONS_EXAMPLE = {
  success: true,
  data: {
    walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    currentBalance: 4.999986,
    transactions: [
      {
        id: '52',
        amount: -0.000014,
        balanceAfter: 4.999986,
        type: 'CHARGE',
        createdAt: '2026-11-23T17:40:03.512Z',
        requestId: '0f4b7c1de2a94f0b8c6d5e3a12b49f70',
        modelId: null,
        network: null,
        transaction: null,
      },
    ],
    pagination: { limit: 50, offset: 0, hasMore: false },
  },
};

const walletTransactionsDocs: Operation = {
  id: 'walletTransactions',
  tag: 'Prepaid balance',
  summary: "List the movements of a wallet's prepaid balance, newest first",
  description: 'Needs a sign-in by that wallet. Free of charge. Amounts are USD; charges are negative.',
  credentials: ['signInWithX'],
  parameters: [
    walletParameter,
    {
      name: 'limit',
      in: 'query',
      required: false,
      description: 'From 1 to 100; 50 by default',
      schema: z.int().min(1).max(100),
    },
    {
      name: 'offset',
      in: 'query',
      required: false,
      description: 'Number of movements to skip; 0 by default',
      schema: z.int().min(0),
    },
  ],
  responses: {
    200: {
      description: 'A page',
      schema: z
        .object({
          success: z.literal(true),
          data: z.object({
            walletAddress: z.string(),
            currentBalance: z.number(),
            transactions: z.array(
              z.object({
                id: z.string(),
                amount: z.number(),
                balanceAfter: z.number(),
                type: z.enum(['TOP_UP', 'CHARGE', 'REFUND', 'WITHDRAWAL']),
                createdAt: z.string(),
                requestId: z.string().describe('For a top-up, and a withdrawal or its refund, its id'),
                modelId: z.string().nullable(),
                network: z
                  .string()
                  .nullable()
                  .describe('For a top-up, and a withdrawal or its refund, its chain (CAIP-2)'),
                transaction: z
                  .string()
                  .nullable()
                  .describe('For a top-up, and a withdrawal or its refund, its transaction on that chain'),
              }),
            ),
            pagination: z.object({ limit: z.number(), offset: z.number(), hasMore: z.boolean() }),
          }),
        })
        .meta({ id: 'WalletTransactions' }),
      examples: { page: TRANSACTIONS_EXAMPLE },
    },
    400: {
      description: 'A parameter is not valid',
      schema: detailedErrorSchema,
      examples: { limit: faultyField('limit', 'Must be from 1 to 100') },
    },
    ...WALLET_REFUSALS,
  },
};

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, `Must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `Must be from ${min} to ${max}`);

const query = z.object({
  limit: wholeNumber(1, 100).default(50),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
});

export const walletTransactionsRoute: Route = {
  path: '/api/v1/x402/transactions/{walletAddress}',
  docs: { GET: walletTransactionsDocs },
};

/** GET /x402/transactions/{walletAddress}. */
export function walletTransactions({ auth, db, now }: { auth: Auth; db: Database; now: () => number }): Endpoint {
  return {
    ...walletTransactionsRoute,
    GET: async (call) => {
      const { accountId, wallet } = await identifyOwnWallet(call, auth);
      const { limit, offset } = readQuery(call, query);
      const movements = await listMovements(db, accountId, { limit: limit + 1, offset });
      const { pots } = await readBalance(db, accountId, now());
      const data = {
        walletAddress: wallet,
        currentBalance: pots.x402 / 1e9,
        transactions: movements.slice(0, limit).map(show),
        pagination: { limit, offset, hasMore: movements.length > limit },
      };
      return json({ success: true, data });
    },
  };
}

/** Transaction types by ledger kind. Grants by the operator and failed withdrawals are shown as refunds. */
const TYPES: Readonly<Record<LedgerKind, 'TOP_UP' | 'CHARGE' | 'REFUND' | 'WITHDRAWAL'>> = {
  TOP_UP: 'TOP_UP',
  CHARGE: 'CHARGE',
  REFUND: 'REFUND',
  GRANT: 'REFUND',
  ALLOCATION: 'REFUND',
  EXPIRY: 'CHARGE',
  WITHDRAWAL: 'WITHDRAWAL',
  REVERSAL: 'REFUND',
};

function show({ id, kind, amount, balance_after, created_at, request_id, resource, payment }: Movement) {
  const [area, ...model] = resource.split('/');
  const modelId = area === 'rpc' || model.length === 0 ? null : model.join('/');
  return {
    id: String(id),
    amount: amount / 1e9,
    balanceAfter: balance_after / 1e9,
    type: TYPES[kind],
    createdAt: new Date(created_at).toISOString(),
    requestId: request_id,
    modelId,
    network: payment?.network ?? null,
    transaction: payment?.transaction_id ?? null,
  };
}
