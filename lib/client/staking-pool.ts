import { checked, members, type Schema } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** What GET /api/staking-pool tells the console: all that is staked for daily allocations. */
export interface StakingPool {
  /** In base units of the daily-credit token. */
  total: bigint;
  decimals: number;
}

const DECIMALS_MAX = 36;

/** What all wallets have staked for daily allocations; null where nothing can be staked. Public. @throws GatewayError, UnreachableError */
export async function askStakingPool(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<StakingPool | null> {
  return fitting(readStakingPool, await exchanger(options)('GET', '/api/staking-pool', callOptions));
}

const totalUnits = checked(
  'a whole number in digits',
  (value): value is string => typeof value === 'string' && /^\d{1,78}$/.test(value),
);
const decimalsCount = checked(
  `a count from 0 to ${DECIMALS_MAX}`,
  (value): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= DECIMALS_MAX,
);

/** Reads the body of the answer; null where nothing can be staked. @throws {MisfitError} */
export const readStakingPool: Schema<StakingPool | null> = (value, at) => {
  const { total, decimals } = members(value, at);
  if (total === null) return null;
  return { total: BigInt(totalUnits(total, 'total')), decimals: decimalsCount(decimals, 'decimals') };
};
