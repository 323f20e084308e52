import { setTimeout as sleep } from 'node:timers/promises';
import type { SolanaNode } from './solana-node';

export interface FinalityPace {
  pollMs: number;
  /** Maximum poll interval. The interval doubles up to this value. */
  pollMsMax: number;
  /** Longest wait. Finality takes about 13 s. */
  waitMsMax: number;
  /** Longest wait for a transaction that nodes do not know, because it may not have been sent. */
  unknownMsMax: number;
}

export const FINALITY_PACE: FinalityPace = { pollMs: 250, pollMsMax: 2_000, waitMsMax: 18_000, unknownMsMax: 4_000 };

/**
 * Waits until a sent transaction is final, failed, or timed out. The result proves nothing, so the caller checks the
 * chain.
 * @param signal stops waiting
 */
export async function awaitFinality(
  node: SolanaNode,
  signature: string,
  pace: FinalityPace,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  for (let pollMs = pace.pollMs; !signal.aborted; pollMs = Math.min(pollMs * 2, pace.pollMsMax)) {
    const status = await node.status(signature).catch(() => null);
    if (status && (status.error !== null || status.commitment === 'finalized')) return;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > (status ? pace.waitMsMax : pace.unknownMsMax)) return;
    await sleep(pollMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
