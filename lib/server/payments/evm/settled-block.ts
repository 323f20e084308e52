import type { PublicClient } from 'viem';
import type { Confirmations } from '../../config/payments';
import { isRefusal } from './evm-sender';

/** A block in which what happened counts. */
export interface SettledBlock {
  number: bigint;
  /** Unix seconds. */
  timestamp: bigint;
}

/** A chain whose newest block is older than that makes none while nobody sends anything. */
const IDLE_MS = 600_000;

/**
 * The newest block in which a payment counts.
 * @param latest the newest block of all
 * @returns null where the node does not know of safe or finalized blocks
 */
export async function settledBlock(
  client: PublicClient,
  latest: SettledBlock,
  confirmations: Confirmations,
): Promise<SettledBlock | null> {
  if (confirmations === 1) return latest;
  try {
    if (typeof confirmations === 'string') return await client.getBlock({ blockTag: confirmations });
    const depth = BigInt(confirmations - 1);
    return await client.getBlock({ blockNumber: latest.number > depth ? latest.number - depth : 0n });
  } catch (error) {
    if (isRefusal(error) || (error instanceof Error && error.name === 'BlockNotFoundError')) return null;
    throw error;
  }
}

/**
 * Whether the time of an authorization is over for certain: its last block is settled. A chain whose newest block counts
 * at once, and which makes blocks only for transactions, is taken by our own clock.
 */
export function isOver(
  { timestamp }: SettledBlock,
  expiresAtMs: number,
  nowMs: number,
  confirmations: Confirmations,
): boolean {
  const timestampMs = Number(timestamp) * 1_000;
  if (timestampMs >= expiresAtMs) return true;
  return confirmations === 1 && timestampMs < nowMs - IDLE_MS && nowMs - IDLE_MS > expiresAtMs;
}

/** How long to wait before looking again for a block that counts: as long as that takes, and no call more than needed. */
export function awaitedLookMs(confirmations: Confirmations): number {
  if (confirmations === 'finalized') return 30_000;
  return confirmations === 'safe' ? 10_000 : 2_000;
}

/** What a payment waits for that is executed in a block that does not count yet. */
export function awaitedSentence(
  chain: string,
  confirmations: Confirmations,
  { block, latest }: { block: bigint; latest: bigint },
): string {
  if (confirmations === 'safe')
    return `The payment is executed in block ${block}. Waiting until ${chain} holds that block for safe, which takes a few minutes.`;
  if (confirmations === 'finalized')
    return `The payment is executed in block ${block}. Waiting until ${chain} has finalized that block, which may take a quarter of an hour.`;
  return `The payment is executed. Waiting for ${chain} to confirm it: ${latest - block + 1n} of ${confirmations} blocks.`;
}
