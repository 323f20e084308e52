import { setTimeout as sleep } from 'node:timers/promises';
import type { SolanaNode } from './solana-node';

/** How long a transaction is waited for, and how often it is asked after. */
export interface FinalityPace {
  pollMs: number;
  /** Each poll comes twice as late as the one before, up to this. */
  pollMsMax: number;
  /** A supermajority has rooted a block some 13 s after it was made. */
  waitMsMax: number;
  /** No node knows of a transaction that was not sent. */
  unknownMsMax: number;
}

export const FINALITY_PACE: FinalityPace = { pollMs: 250, pollMsMax: 2_000, waitMsMax: 18_000, unknownMsMax: 4_000 };

/**
 * Waits until a transaction that was sent is final, has failed, or it takes too long, asking less and less often: about
 * ten calls. What it sees proves nothing; whoever waited looks at the chain.
 * @param signal ends the waiting
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
