import { parseUsd } from '@/lib/protocol/parse-usd';
import { DailyAllocations } from '../../billing/allocation/daily-allocations';
import type { StakeReader } from '../../billing/allocation/stake-reader';
import type { Meter } from '../../billing/meter';
import type { Database } from '../../db/schema';
import { chainStakeReader } from '../../staking/chain-stake-reader';
import { PoolTotal } from '../../staking/pool-total';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { stakingPool } from '../staking-pool';
import type { Capability, Ground } from './capability';

/**
 * Opens daily allocations for stakers.
 * @param substitute replaces the stake reader that queries the chains
 */
export function openStaking(
  { config: { staking }, log, now }: Ground,
  { db, meter, networks }: { db: Database; meter: Meter; networks: RpcNetworks },
  substitute?: StakeReader,
) {
  const stake = substitute ?? chainStakeReader(networks, staking.deployments);
  const dailyPoolNanoUsd = parseUsd(staking.dailyPoolUsd);
  const allocations = new DailyAllocations({ meter, db, stake, dailyPoolNanoUsd, now, log });
  const total = new PoolTotal(stake, now);
  return {
    stake,
    allocations,
    endpoints: ({ consoleLimiter }) => [stakingPool({ db, staking, total, allocations, consoleLimiter })],
    close: () => allocations.close(),
  } satisfies Capability & Record<string, unknown>;
}
