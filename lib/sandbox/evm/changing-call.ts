import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainRpc } from './chain-rpc';

/** What names of methods that may change a chain begin with or contain; and an escape, which may hide one. */
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

/** Whether a JSON-RPC body may change the chain. It may say so of one that does not, which costs a write to disk, and never the reverse. */
export function mayChange(body: Buffer | string): boolean {
  return CHANGING.some((part) => body.includes(part));
}

const POLL_MS = 2;
/** With mining turned off, what is sent stays pending for good; it is then not part of the chain. */
const WAIT_MS_MAX = 2_000;

/** Resolves when whatever was sent and can be mined has been: anvil answers a send before its block is there. */
export async function untilMined(rpc: ChainRpc): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MS_MAX;
  while (performance.now() < deadlineMs) {
    const { pending } = (await rpc('txpool_status', [])) as { pending: string };
    if (Number(pending) === 0) return;
    await sleep(POLL_MS);
  }
}
