import path from 'node:path';
import { NETWORKS } from '@/lib/protocol/networks';
import type { SandboxLog } from '../log';
import { SolanaNetwork } from './network';

/** Every Solana stand-in by its network's slug. */
export type SolanaNetworks = ReadonlyMap<string, SolanaNetwork>;

/** The Solana networks of the table, none of them open, with their state in a folder each under `dataDir`. `onOpened` hears of each that opens. */
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
