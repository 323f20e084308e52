import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainRpc } from './chain-rpc';

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
  throw new Error(`The faucet's transaction ${hash} waits to be mined: mining may have been turned off on this chain.`);
}
