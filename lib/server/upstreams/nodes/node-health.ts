const FAILED_CHECKS_MIN = 2;

export class NodeHealth {
  /** Newest block or slot that the upstream reported; null if unknown. */
  height: number | null = null;
  /** Null if the upstream reported none; undefined before it was asked. */
  finalizedHeight: number | null | undefined;
  /** Number of blocks by which this upstream is behind the best upstream of the network. */
  lagBlocks: number | null = null;
  isLagging = false;
  /** Result of the chain check; `unchecked` if the network has no identity to check. */
  chain: 'unchecked' | 'unproved' | 'right' | 'wrong' = 'unchecked';
  /** Last failure of a call or a check. `at` is in Unix milliseconds. */
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

  get isUndecided(): boolean {
    return this.checkedAt === null || (this.#failedChecks > 0 && !this.isFailing);
  }

  get servesChain(): boolean {
    return this.chain === 'right' || this.chain === 'unchecked';
  }

  get isFailing(): boolean {
    return this.#failedChecks >= FAILED_CHECKS_MIN || this.chain === 'wrong';
  }

  /** True if the upstream should be asked only as a last resort. */
  get isDoubtful(): boolean {
    return this.isLagging || this.isFailing;
  }
}
