/** Health checks in a row that must fail before it counts. */
const FAILED_CHECKS_MIN = 2;

/** What health checks found out about an upstream. */
export class NodeHealth {
  /** Newest block or slot it reported; null before the first check. */
  height: number | null = null;
  finalizedHeight: number | null = null;
  /** Blocks behind the best upstream of its network. */
  lagBlocks: number | null = null;
  isLagging = false;
  /** Whether it said which chain it serves, and whether that is the right one. */
  chain: 'unknown' | 'right' | 'wrong' = 'unknown';
  /** The last failure of a call or a check; time in Unix milliseconds. */
  lastError: { message: string; at: number } | null = null;
  checkedAt: number | null = null;
  #failedChecks = 0;

  passed(): void {
    this.#failedChecks = 0;
    this.checkedAt = Date.now();
  }

  failed(message: string): void {
    this.#failedChecks++;
    this.checkedAt = Date.now();
    this.lastError = { message, at: this.checkedAt };
  }

  get isFailing(): boolean {
    return this.#failedChecks >= FAILED_CHECKS_MIN || this.chain === 'wrong';
  }

  /** To be asked only where no other is left. */
  get isDoubtful(): boolean {
    return this.isLagging || this.isFailing;
  }
}
