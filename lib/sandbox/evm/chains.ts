import path from 'node:path';
import { NETWORKS, type Network, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import type { SandboxLog } from '../log';
import { Chain, type EvmNetwork } from './chain';

/** Every stand-in chain by its network's slug: the sandbox's own first, then the EVM networks of the table. */
export type Chains = ReadonlyMap<string, Chain>;

/** The chains, none of them started, with their state in a folder each under `dataDir`. */
export function createChains(dataDir: string, log: SandboxLog): Chains {
  return new Map(
    [SANDBOX_TESTNET, ...NETWORKS]
      .filter(isEvm)
      .map((network) => [network.slug, new Chain(network, path.join(dataDir, 'evm', network.slug), log)]),
  );
}

function isEvm(network: Network): network is EvmNetwork {
  return network.kind === 'evm' && network.chainId !== null;
}
