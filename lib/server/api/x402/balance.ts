import { z } from 'zod';
import { readBalance } from '../../billing/usage/read-balance';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { identifyOwnWallet, WALLET_REFUSALS, walletParameter } from './own-wallet';
import type { Auth } from '../../auth/auth';
import { NO_ACCOUNT } from '../../auth/caller';
import type { TopUpOffer } from '../../auth/payment-challenge';
import type { DailyAllocations } from '../../billing/allocation/daily-allocations';
import type { Database } from '../../db/schema';

const walletBalanceDocs: Operation = {
  id: 'walletBalance',
  tag: 'Prepaid balance',
  summary: 'Get the prepaid balance of a wallet',
  description: 'Needs a sign-in by that wallet. Free of charge.',
  credentials: ['signInWithX'],
  parameters: [walletParameter],
  responses: {
    200: {
      description: 'The balance',
      schema: z
        .object({
          success: z.literal(true),
          data: z.object({
            walletAddress: z.string(),
            balanceUsd: z.number(),
            canConsume: z.boolean(),
            minimumTopUpUsd: z.number(),
            suggestedTopUpUsd: z.number(),
            diemBalanceUsd: z
              .number()
              .optional()
              .describe("The rest of today's allocation, which API keys of the wallet spend"),
          }),
        })
        .meta({ id: 'WalletBalance' }),
      examples: {
        balance: {
          success: true,
          data: {
            walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
            balanceUsd: 4.99,
            canConsume: true,
            minimumTopUpUsd: 5,
            suggestedTopUpUsd: 10,
            diemBalanceUsd: 0,
          },
        },
      },
    },
    ...WALLET_REFUSALS,
  },
};

export const walletBalanceRoute: Route = {
  path: '/api/v1/x402/balance/{walletAddress}',
  docs: { GET: walletBalanceDocs },
};

/** GET /x402/balance/{walletAddress}: a wallet's prepaid balance. Needs a sign-in by that wallet. */
export function walletBalance({
  auth,
  allocations,
  offer,
  db,
  now,
}: {
  auth: Auth;
  allocations: DailyAllocations;
  offer: Pick<TopUpOffer, 'minimumTopUpUsd' | 'suggestedTopUpUsd'>;
  db: Database;
  now: () => number;
}): Endpoint {
  return {
    ...walletBalanceRoute,
    GET: async (call) => {
      const { accountId, wallet } = await identifyOwnWallet(call, auth);
      if (accountId !== NO_ACCOUNT) await allocations.ensureForReader(accountId);
      const { pots } = await readBalance(db, accountId, now());
      const { minimumTopUpUsd, suggestedTopUpUsd } = offer;
      const data = {
        walletAddress: wallet,
        balanceUsd: pots.x402 / 1e9,
        canConsume: pots.x402 > 0,
        minimumTopUpUsd,
        suggestedTopUpUsd,
        diemBalanceUsd: pots.diem / 1e9,
      };
      return json({ success: true, data });
    },
  };
}
