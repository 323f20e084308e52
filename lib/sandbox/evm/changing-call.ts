import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainRpc } from './chain-rpc';

/** Parts of the names of methods that may change a chain. Also `\u`, because a JSON escape may hide such a name. */
const CHANGING = [
  'eth_send',
  'anvil_',
  'evm_',
  'hardhat_',
  'tenderly_',
  'personal_',
  'wallet_',
  'debug_set',
  'miner_',
  '\\u',
];

/** Returns whether a JSON-RPC body may change the chain. A false positive costs only a write to disk. */
export function mayChange(body: Buffer | string): boolean {
  return CHANGING.some((part) => body.includes(part));
}

const POLL_MS = 2;
/** Longest wait for a block. With mining off, a transaction stays pending. */
const WAIT_MS_MAX = 2_000;

/**
 * Resolves once no transaction is pending, or after 2 s. Anvil answers `eth_sendTransaction` before it mines the block.
 */
export async function untilMined(rpc: ChainRpc): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MS_MAX;
  while (performance.now() < deadlineMs) {
    const { pending } = (await rpc('txpool_status', [])) as { pending: string };
    if (Number(pending) === 0) return;
    await sleep(POLL_MS);
  }
}
