import path from 'node:path';
import { NETWORKS } from '@/lib/protocol/networks';
import type { SandboxLog } from '../log';
import { SolanaNetwork } from './network';

export type SolanaNetworks = ReadonlyMap<string, SolanaNetwork>;

/** Creates the Solana networks without opening them. Each network has its own state folder under `dataDir`. */
export function createSolanaNetworks(
  dataDir: string,
  log: SandboxLog,
  onOpened: () => void = () => undefined,
): SolanaNetworks {
  return new Map(
    NETWORKS.filter(({ kind }) => kind === 'solana').map((network) => [
      network.slug,
      new SolanaNetwork(network, path.join(dataDir, 'solana', network.slug), log, onOpened),
    ]),
  );
}
