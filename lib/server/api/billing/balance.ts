import { z } from 'zod';
import { epochAt, epochEnd } from '../../billing/rules/epoch';
import { type AccountBalance, balancesUsd, readBalance } from '../../billing/usage/read-balance';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { REFUSALS } from './docs';
import type { Auth } from '../../auth/auth';
import { NO_ACCOUNT, type Purse } from '../../auth/caller';
import type { DailyAllocations } from '../../billing/allocation/daily-allocations';
import type { Database } from '../../db/schema';

const billingBalanceDocs: Operation = {
  id: 'billingBalance',
  tag: 'Billing',
  summary: "The caller's balances and today's allocation",
  description:
    'Free of charge. Calls with a key spend the daily allocation first, then bundled credits, then USD, and last the prepaid balance, if the key may spend it. Calls with a wallet sign-in spend the prepaid balance.',
  credentials: ['apiKey', 'signInWithX'],
  responses: {
    200: {
      description: 'The balance',
      schema: z
        .object({
          canConsume: z.boolean().describe('Whether this credential has money to spend'),
          consumptionCurrency: z
            .enum(['DIEM', 'BUNDLED_CREDITS', 'USD', 'X402'])
            .describe('The balance that the next call is charged to'),
          balances: z.object({ diem: z.number(), bundledCredits: z.number(), usd: z.number() }).describe('USD'),
          diemEpochAllocation: z.number().describe("Today's (UTC) allocation in USD; 0 if there is none"),
          diemEpochEndsAt: z.string().describe('When the next allocation starts: the next 00:00 UTC'),
          x402Usd: z
            .number()
            .optional()
            .describe('Prepaid balance of the wallet in USD; with a sign-in, or with a key that may spend it'),
        })
        .meta({ id: 'BillingBalance' }),
      examples: {
        key: {
          canConsume: true,
          consumptionCurrency: 'DIEM',
          balances: { diem: 1.25, bundledCredits: 0, usd: 4.9986 },
          diemEpochAllocation: 2.5,
          diemEpochEndsAt: '2026-11-25T00:00:00.000Z',
        },
      },
    },
    ...REFUSALS,
  },
};

export const billingBalanceRoute: Route = { path: '/api/v1/billing/balance', docs: { GET: billingBalanceDocs } };

export function billingBalance({
  auth,
  allocations,
  db,
  now,
}: {
  auth: Auth;
  allocations: DailyAllocations;
  db: Database;
  now: () => number;
}): Endpoint {
  return {
    ...billingBalanceRoute,
    GET: async (call) => {
      const caller = await auth.identifyReader(call);
      if (caller.accountId !== NO_ACCOUNT) await allocations.ensureForReader(caller.accountId);
      const at = now();
      const balance = await readBalance(db, caller.accountId, at);
      const diemEpochEndsAt = new Date(epochEnd(epochAt(at))).toISOString();
      return json({ ...describe(balance, caller.purse), diemEpochEndsAt });
    },
  };
}

function describe({ pots, allocation }: AccountBalance, purse: Purse) {
  const { diem, bundled, usd, x402 } = pots;
  const balances = balancesUsd(pots);
  if (purse === 'x402') {
    return {
      canConsume: x402 > 0,
      consumptionCurrency: 'X402',
      balances,
      diemEpochAllocation: allocation / 1e9,
      x402Usd: x402 / 1e9,
    };
  }
  const prepaid = purse === 'all' ? x402 : 0;
  const consumptionCurrency =
    diem > 0 ? 'DIEM' : bundled > 0 ? 'BUNDLED_CREDITS' : usd > 0 || prepaid === 0 ? 'USD' : 'X402';
  return {
    canConsume: diem + bundled + usd + prepaid > 0,
    consumptionCurrency,
    balances,
    diemEpochAllocation: allocation / 1e9,
    ...(purse === 'all' && { x402Usd: x402 / 1e9 }),
  };
}
