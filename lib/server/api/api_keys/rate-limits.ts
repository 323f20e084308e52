import { z } from 'zod';
import { epochAt, epochEnd } from '../../billing/rules/epoch';
import { readBalance } from '../../billing/usage/read-balance';
import { findAccount } from '../../db/accounts';
import { findApiKey } from '../../db/api-keys';
import { askStore } from '../../db/ask-store';
import { leftOfLimits } from '../../db/key-usage';
import { TIERS, type Database } from '../../db/schema';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { NO_CREDENTIAL, NO_STORE, TOO_MANY } from './docs';
import type { Auth } from '../../auth/auth';
import type { DailyAllocations } from '../../billing/allocation/daily-allocations';
import type { Config } from '../../config/load';
import { NO_ACCOUNT } from '../../auth/caller';

const rateLimitsSchema = z
  .object({
    data: z.object({
      accessPermitted: z.boolean().describe('Whether the credential can pay now, by its balances and limits'),
      apiTier: z.object({ id: z.enum(TIERS), isCharged: z.literal(true) }),
      balances: z.object({
        USD: z.number().describe('Bundled credits and USD'),
        DIEM: z.number().describe("What is left of today's allocation, in USD"),
        X402: z.number().describe('Prepaid balance that the credential may spend, in USD'),
      }),
      keyExpiration: z.string().nullable().describe('When the key expires; null for never, or for a wallet sign-in'),
      nextEpochBegins: z.string().describe('When the next daily allocation begins: the next 00:00 UTC'),
      rateLimits: z
        .array(
          z.object({
            apiModelId: z.string().describe('`crypto/rpc` for RPC calls, `*` for every other endpoint'),
            rateLimits: z.array(
              z.object({
                amount: z.number(),
                type: z.enum(['RPM', 'CPD']).describe('RPM: requests a minute. CPD: credits in 24 hours'),
              }),
            ),
          }),
        )
        .describe('Limits per caller. A limit that is not in the list does not exist'),
    }),
  })
  .meta({ id: 'RateLimits' });

const docs: Operation = {
  id: 'rateLimits',
  tag: 'API keys',
  summary: 'Rate limits and balances of the credential',
  description: 'Free of charge. For any key, or a wallet sign-in.',
  credentials: ['apiKey', 'signInWithX'],
  responses: {
    200: {
      description: 'The limits',
      schema: rateLimitsSchema,
      examples: {
        limits: {
          data: {
            accessPermitted: true,
            apiTier: { id: 'standard', isCharged: true },
            balances: { USD: 4.9986, DIEM: 1.25, X402: 0 },
            keyExpiration: null,
            nextEpochBegins: '2026-11-25T00:00:00.000Z',
            rateLimits: [
              {
                apiModelId: 'crypto/rpc',
                rateLimits: [
                  { amount: 100, type: 'RPM' },
                  { amount: 10_000_000, type: 'CPD' },
                ],
              },
              { apiModelId: '*', rateLimits: [{ amount: 600, type: 'RPM' }] },
            ],
          },
        },
      },
    },
    401: NO_CREDENTIAL,
    429: TOO_MANY,
    503: NO_STORE,
  },
};

export const rateLimitsRoute: Route = { path: '/api/v1/api_keys/rate_limits', docs: { GET: docs } };

/** GET /api_keys/rate_limits: the caller's rate limits, and the balances that its credential may spend. */
export function rateLimits({
  auth,
  allocations,
  db,
  limits,
  now,
}: {
  auth: Auth;
  allocations: DailyAllocations;
  db: Database;
  limits: Pick<Config['limits'], 'rpcRequestsPerMinute' | 'rpcCreditsPerDay' | 'requestsPerMinute'>;
  now: () => number;
}): Endpoint {
  return {
    ...rateLimitsRoute,
    GET: async (call) => {
      const { accountId, apiKeyId, purse } = await auth.identifyReader(call);
      if (accountId !== NO_ACCOUNT) await allocations.ensureForReader(accountId);
      const at = now();
      const { pots } = await readBalance(db, accountId, at);
      const tier = (await askStore(() => findAccount(db, accountId)))?.tier ?? 'standard';
      const key = apiKeyId === null ? null : await askStore(() => findApiKey(db, apiKeyId));
      const left = key === null ? null : await askStore(() => leftOfLimits(db, key, at));
      const { diem, bundled, usd } = purse === 'x402' ? { diem: 0, bundled: 0, usd: 0 } : pots;
      const x402 = Math.min(pots.x402, left?.prepaid ?? Infinity);
      const balances = { USD: (bundled + usd) / 1e9, DIEM: diem / 1e9, X402: x402 / 1e9 };
      const mayPay = Math.min(diem, left?.diem ?? Infinity) + Math.min(bundled + usd + x402, left?.usd ?? Infinity) > 0;
      const limit = (amount: number | null, type: 'RPM' | 'CPD') => (amount === null ? [] : [{ amount, type }]);
      return json({
        data: {
          accessPermitted: mayPay,
          apiTier: { id: tier, isCharged: true },
          balances,
          keyExpiration: key?.expiresAt ? new Date(key.expiresAt).toISOString() : null,
          nextEpochBegins: new Date(epochEnd(epochAt(at))).toISOString(),
          rateLimits: [
            {
              apiModelId: 'crypto/rpc',
              rateLimits: [
                ...limit(limits.rpcRequestsPerMinute[tier], 'RPM'),
                ...limit(limits.rpcCreditsPerDay[tier], 'CPD'),
              ],
            },
            { apiModelId: '*', rateLimits: limit(limits.requestsPerMinute, 'RPM') },
          ],
        },
      });
    },
  };
}
