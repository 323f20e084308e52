import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';

/** Sends a JSON-RPC request to one chain. Rejects on a timeout or a JSON-RPC error. */
export type ChainRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

const TIMEOUT_MS = 10_000;

export function chainRpc(pool: Pool): ChainRpc {
  return async (method, params) => {
    const { body } = await pool.request({
      path: '/',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = (await body.json()) as { result?: unknown; error?: { message?: string } };
    if (answer.error)
      throw new Error(`The chain returned an error for ${method}: ${answer.error.message ?? 'an error'}`);
    return answer.result;
  };
}

/**
 * Resolves once a faucet transaction is in a block and has succeeded.
 *
 * @throws {Error} if the transaction failed or is not mined within `waitMsMax`
 */
export async function mined(rpc: ChainRpc, hash: string, waitMsMax: number): Promise<void> {
  const deadlineMs = performance.now() + waitMsMax;
  while (performance.now() < deadlineMs) {
    const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as { status: string } | null;
    if (receipt?.status === '0x1') return;
    if (receipt) throw new Error(`The faucet's transaction ${hash} failed.`);
    await sleep(5);
  }
  throw new Error(
    `The faucet's transaction ${hash} was not mined in time: mining may have been turned off on this chain.`,
  );
}

/**
 * Substrings in the names of methods that may change a chain. Includes `\u`, because a JSON escape may hide such a
 * name.
 */
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
