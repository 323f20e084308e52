import { isRecord } from './answer-schema';
import { type CallOptions, exchanger, type TurnpikeClientOptions } from './exchange';

/** What GET /api/staking-pool tells the console: all that is staked for daily allocations. */
export interface StakingPool {
  /** In base units of the daily-credit token. */
  total: bigint;
  decimals: number;
}

const DECIMALS_MAX = 36;

/** What all wallets have staked for daily allocations; null where nothing can be staked. Public. @throws GatewayError, UnreachableError */
export async function askStakingPool(options: TurnpikeClientOptions, callOptions: CallOptions = {}): Promise<StakingPool | null> {
  const { body } = await exchanger(options)('GET', '/api/staking-pool', callOptions);
  return readStakingPool(body);
}

/** Reads the body of the answer; null where nothing can be staked. @throws RangeError for what no gateway says. */
export function readStakingPool(body: unknown): StakingPool | null {
  const { total, decimals } = isRecord(body) ? body : {};
  if (total === null) return null;
  if (typeof total !== 'string' || !/^\d{1,78}$/.test(total)) throw new RangeError('The total of the pool is no whole number.');
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > DECIMALS_MAX) throw new RangeError('The decimals of the token are no count.');
  return { total: BigInt(total), decimals };
}
