import { apiError } from '@/lib/protocol/errors';
import { ChainUnavailable } from '../billing/allocation/stake-reader';
import type { StakingConfig } from '../config/staking';
import { json } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';
import type { AddressLimiter } from '../http/rate-limit/address-limiter';
import type { PoolTotal } from '../staking/pool-total';

export const stakingPoolRoute: Route = { path: '/api/staking-pool', sameOrigin: true };

/**
 * GET /api/staking-pool: how much is staked for daily allocations, by all wallets together, so that the console can say
 * what a stake would give before a wallet is connected: `{ total, decimals }`, `total` in base units as a decimal text.
 * `{ total: null }` where the operator has configured no staking. Read from the chain at most once in half a minute,
 * and limited by client address.
 */
export function stakingPool({
  staking,
  total,
  consoleLimiter,
}: {
  staking: StakingConfig;
  total: PoolTotal;
  consoleLimiter: AddressLimiter;
}): Endpoint {
  return {
    ...stakingPoolRoute,
    GET: async (call) => {
      consoleLimiter.take(call.clientIp);
      if (!staking.deployments.some(({ primary }) => primary)) return json({ total: null });
      try {
        const { total: staked, decimals } = await total.read();
        return json({ total: String(staked), decimals });
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        throw apiError('STAKE_UNAVAILABLE', {
          message: 'What is staked could not be read, because the chain did not answer.',
        });
      }
    },
  };
}
