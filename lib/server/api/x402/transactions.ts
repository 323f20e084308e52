import { z } from 'zod';
import { readBalance } from '../../billing/usage/read-balance';
import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { readQuery } from '../../http/read-query';
import { listMovements, type Movement } from '../../payments/list-movements';
import type { LedgerKind } from '../../db/schema';
import { walletTransactionsDocs } from './docs';
import { identifyOwnWallet } from './own-wallet';

const OFFSET_MAX = 10_000;

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, `Must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `Must be from ${min} to ${max}`);

const query = z.object({ limit: wholeNumber(1, 100).default(50), offset: wholeNumber(0, OFFSET_MAX).default(0) });

/** GET /x402/transactions/{walletAddress}: what came into a wallet's prepaid balance and what went out, newest first. */
export const walletTransactions: Endpoint = {
  path: '/api/v1/x402/transactions/{walletAddress}',
  docs: { GET: walletTransactionsDocs },
  GET: async (call, gateway) => {
    const { accountId, wallet } = await identifyOwnWallet(call, gateway);
    const { limit, offset } = readQuery(call, query);
    const movements = await listMovements(gateway.db, accountId, { limit: limit + 1, offset });
    const { pots } = await readBalance(gateway.db, accountId, gateway.now());
    const data = {
      walletAddress: wallet,
      currentBalance: pots.x402 / 1e9,
      transactions: movements.slice(0, limit).map(show),
      pagination: { limit, offset, hasMore: movements.length > limit },
    };
    return json({ success: true, data });
  },
};

/** What an operator grants is told as money paid back. */
const TYPES: Readonly<Record<LedgerKind, 'TOP_UP' | 'CHARGE' | 'REFUND'>> = {
  TOP_UP: 'TOP_UP',
  CHARGE: 'CHARGE',
  REFUND: 'REFUND',
  GRANT: 'REFUND',
  ALLOCATION: 'REFUND',
  EXPIRY: 'CHARGE',
};

function show({ id, kind, amount, balance_after, created_at, request_id, resource }: Movement) {
  const [area, model] = resource.split('/', 2);
  const modelId = area === 'rpc' || model === undefined ? null : model;
  return { id: String(id), amount: amount / 1e9, balanceAfter: balance_after / 1e9, type: TYPES[kind], createdAt: new Date(created_at).toISOString(), requestId: request_id, modelId };
}
