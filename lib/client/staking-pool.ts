import { checked, members, nullable, number, object, type Schema } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** Answer of GET /api/staking-pool. */
export interface StakingPool {
  /** Total stake in base units of the daily-credit token. */
  total: bigint;
  decimals: number;
}

const DECIMALS_MAX = 36;

/**
 * Fetches the total stake for daily allocations; null if there is no staking. Public.
 *
 * @throws {GatewayError | UnreachableError}
 */
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

export const readStakingPool: Schema<StakingPool | null> = (value, at) => {
  const { total, decimals } = members(value, at);
  if (total === null) return null;
  return { total: BigInt(totalUnits(total, 'total')), decimals: decimalsCount(decimals, 'decimals') };
};

const allocationAnswer = object({ allocationUsd: nullable(number) });

/**
 * Makes the gateway read an EVM wallet's stake now.
 *
 * @returns today's allocation in USD; null for a wallet without an account
 * @throws {GatewayError | UnreachableError}
 */
export async function askAllocation(
  options: TurnpikeClientOptions,
  address: string,
  callOptions: CallOptions = {},
): Promise<number | null> {
  const requestText = JSON.stringify({ address });
  const answer = await exchanger(options)('POST', '/api/staking-pool', { ...callOptions, requestText });
  return (await fitting(allocationAnswer, answer)).allocationUsd;
}
