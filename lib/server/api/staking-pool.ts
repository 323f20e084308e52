import { z } from 'zod';
import { apiError } from '@/lib/protocol/errors';
import { evmAddressOf } from '../auth/minting/evm-address';
import type { DailyAllocations } from '../billing/allocation/daily-allocations';
import { ChainUnavailable } from '../billing/allocation/stake-reader';
import type { StakingConfig } from '../config/staking';
import { findWalletAccount } from '../db/wallets';
import type { Database } from '../db/schema';
import { json } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';
import { readJson } from '../http/json-body';
import type { AddressLimiter } from '../http/rate-limit/address-limiter';
import { MinuteLimiter } from '../http/rate-limit/minute-limiter';
import type { PoolTotal } from '../staking/pool-total';

/** Maximum reads per minute. It is low, because people stake rarely and each request queries the chain's node. */
const READS_A_MINUTE_MAX = 20;
const BODY_BYTES_MAX = 1_024;

const walletSchema = z.strictObject({ address: z.string().describe('EVM address of the wallet') });

export const stakingPoolRoute: Route = { path: '/api/staking-pool', sameOrigin: true };

/**
 * GET /api/staking-pool: the total stake of all wallets, from which the console estimates an allocation. Returns `{
 * total, decimals }`, with `total` in base units as a decimal string. If staking is not configured, `total` is null.
 * Reads the chain at most every 30 seconds. Rate-limited by client address.
 *
 * POST with `{ address }` of an EVM wallet reads the wallet's stake now, unless today's allocation is already fixed.
 * Returns today's allocation as `{ allocationUsd }`, which is null if the wallet has no account. Rate-limited by client
 * address and by wallet.
 */
export function stakingPool({
  db,
  staking,
  total,
  allocations,
  consoleLimiter,
}: {
  db: Database;
  staking: StakingConfig;
  total: PoolTotal;
  allocations: Pick<DailyAllocations, 'readNow'>;
  consoleLimiter: AddressLimiter;
}): Endpoint {
  const walletLimiter = new MinuteLimiter<string>(READS_A_MINUTE_MAX, 'one wallet');
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
          message: 'The stake could not be read, because the chain gave no usable answer.',
        });
      }
    },
    POST: async (call) => {
      consoleLimiter.take(call.clientIp);
      const address = evmAddressOf((await readJson(call, walletSchema, BODY_BYTES_MAX)).address);
      walletLimiter.take(address.toLowerCase());
      const accountId = await findWalletAccount(db, address);
      return json({ allocationUsd: accountId === null ? null : (await allocations.readNow(accountId)) / 1e9 });
    },
  };
}
