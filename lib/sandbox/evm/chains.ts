import path from 'node:path';
import { NETWORKS, type Network, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import type { SandboxLog } from '../log';
import { Chain, type EvmNetwork } from './chain';

/** Simulated chains by network slug: the sandbox's own chain first, then the other EVM networks. */
export type Chains = ReadonlyMap<string, Chain>;

/** Creates the chains without starting them. Each chain has its own state folder under `dataDir`. */
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
