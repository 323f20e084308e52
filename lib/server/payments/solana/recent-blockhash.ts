import type { LatestBlockhash, SolanaNode } from './solana-node';

/**
 * Number of blocks for which a blockhash is valid. The gateway counts from the newest block, because a message does not
 * contain the height of its blockhash.
 */
export const BLOCKHASH_BLOCKS = 150;
const REFRESH_MS = 10_000;
/**
 * Time for which the gateway offers a blockhash after reading it. The chain accepts a blockhash for about 60 seconds.
 */
const FRESH_MS = 30_000;
/** Time without a 402 after which the gateway stops asking the node. */
const IDLE_MS = 300_000;

/**
 * Keeps a recent blockhash for payment requirements, so that clients need no node (x402, scheme "exact" on Solana).
 * While 402s are sent, reads a new blockhash in the background.
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

  /** Returns the fields to add to `extra`, without waiting; an empty object if no fresh blockhash is known. */
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
      // Ignores the error, because the hint is optional.
    }
    this.#isReading = false;
    this.#timer = undefined;
    if (this.#isClosed || this.now() - this.#usedAt > IDLE_MS) return;
    this.#timer = setTimeout(() => void this.#refresh(), REFRESH_MS);
    this.#timer.unref();
  }
}
