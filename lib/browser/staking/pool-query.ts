import type { Config } from 'wagmi';
import { type PoolAddresses, readPoolState } from './pool-state';

export function poolQuery(config: Config, wallet: string, addresses: PoolAddresses) {
  const address = wallet as `0x${string}`;
  return {
    queryKey: ['chain', 'pool', addresses, address] as const,
    queryFn: () => readPoolState(config, address, addresses),
  };
}
