import type { LatestBlockhash, SolanaNode } from './solana-node';

const REFRESH_MS = 10_000;
/** Time for which a blockhash is offered after it was read. The chain accepts it for about 60 seconds. */
const FRESH_MS = 30_000;
/** If no 402 is sent for this time, the node is no longer asked. */
const IDLE_MS = 300_000;

/**
 * Recent blockhash for payment requirements, so that clients need no node (x402, scheme "exact" on Solana). Read in the
 * background while 402s are answered.
 */
export class RecentBlockhash {
  #known: { value: LatestBlockhash; readAt: number } | null = null;
  #usedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #isClosed = false;

  constructor(
    private readonly node: Pick<SolanaNode, 'latestBlockhash'>,
    private readonly now: () => number,
  ) {}

  /** Returns the fields for `extra`, without waiting. Empty if no fresh blockhash is known. */
  hints(): { recentBlockhash: string; lastValidBlockHeight: string } | Record<string, never> {
    this.#usedAt = this.now();
    if (this.#timer === undefined) void this.#refresh();
    if (this.#known === null || this.#usedAt - this.#known.readAt > FRESH_MS) return {};
    const { blockhash, lastValidBlockHeight } = this.#known.value;
    return { recentBlockhash: blockhash, lastValidBlockHeight: String(lastValidBlockHeight) };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #refresh(): Promise<void> {
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    const readAt = this.now();
    try {
      this.#known = { value: await this.node.latestBlockhash(), readAt };
    } catch {
      // Ignored, because the hint is optional.
    }
    this.#isReading = false;
    this.#timer = undefined;
    if (this.#isClosed || this.now() - this.#usedAt > IDLE_MS) return;
    this.#timer = setTimeout(() => void this.#refresh(), REFRESH_MS);
    this.#timer.unref();
  }
}
