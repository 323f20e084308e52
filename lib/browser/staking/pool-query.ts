import type { Config } from 'wagmi';
import { type PoolAddresses, readPoolState } from './pool-state';

/** What a wallet has in a pool, as a query: whoever asks for the same shares one answer. */
export function poolQuery(config: Config, wallet: string, addresses: PoolAddresses) {
  const address = wallet as `0x${string}`;
  return {
    queryKey: ['chain', 'pool', addresses, address] as const,
    queryFn: () => readPoolState(config, address, addresses),
  };
}
