import type { PublicClient } from 'viem';
import type { Confirmations } from '../../config/payments';
import { isRefusal } from './evm-sender';

/** A block that is final enough for its payments to be credited. */
export interface SettledBlock {
  number: bigint;
  timestamp: bigint;
}

/**
 * A chain counts as idle when its newest block is this old. An idle chain makes blocks only when there are
 * transactions.
 */
const IDLE_MS = 600_000;

/**
 * Returns the newest block that is final enough.
 *
 * @param latest newest block of the chain
 * @returns null if the node does not know safe or finalized blocks
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
 * Returns whether an authorization can no longer be executed, because a block after its expiry is final enough. If one
 * confirmation suffices and the chain is idle, this machine's clock decides.
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

/** Returns the time until another lookup is useful for a transaction whose block is not final enough. */
export function awaitedLookMs(confirmations: Confirmations): number {
  if (confirmations === 'finalized') return 30_000;
  return confirmations === 'safe' ? 10_000 : 2_000;
}

export function awaitedSentence(
  chain: string,
  confirmations: Confirmations,
  { block, latest }: { block: bigint; latest: bigint },
): string {
  if (confirmations === 'safe')
    return `The payment is executed in block ${block}. Waiting until ${chain} marks that block as safe, which takes a few minutes.`;
  if (confirmations === 'finalized')
    return `The payment is executed in block ${block}. Waiting until ${chain} has finalized that block, which can take 15 minutes.`;
  return `The payment is executed. Waiting for ${chain} to confirm it: ${latest - block + 1n} of ${confirmations} blocks.`;
}

const GUESSES_MAX = 12;

/**
 * Returns a block not later than the given time, and close to it if blocks come at even intervals. Guesses a block.
 * While the guess is too late, extrapolates from it and the latest block, and guesses again.
 *
 * @param seconds Unix time
 * @param sampleBlocks number of blocks between the first guess and the latest block
 */
export async function blockBefore(client: PublicClient, seconds: number, sampleBlocks: bigint): Promise<bigint> {
  const latest = await client.getBlock({ blockTag: 'latest' });
  let sample = sampleBlocks < latest.number ? sampleBlocks : latest.number;
  for (let guess = 0; guess < GUESSES_MAX && sample > 0n; guess++) {
    const block = await client.getBlock({ blockNumber: latest.number - sample });
    if (Number(block.timestamp) <= seconds) return block.number;
    const secondsPerBlock = Math.max(Number(latest.timestamp - block.timestamp) / Number(sample), 0.01);
    const needed = BigInt(Math.ceil(((Number(latest.timestamp) - seconds) / secondsPerBlock) * 1.1));
    sample = needed > sample * 2n ? needed : sample * 2n;
    if (sample >= latest.number) return 0n;
  }
  return 0n;
}
