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
  /** Which chain it said it serves; `unchecked` where nothing is known by which it could be told. */
  chain: 'unchecked' | 'unproved' | 'right' | 'wrong' = 'unchecked';
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

  /** Whether it was not checked yet, or failed a check that the next one confirms or not. */
  get isUndecided(): boolean {
    return this.checkedAt === null || (this.#failedChecks > 0 && !this.isFailing);
  }

  /** Whether it may be asked at all: what another chain says is nobody's answer. */
  get servesChain(): boolean {
    return this.chain === 'right' || this.chain === 'unchecked';
  }

  get isFailing(): boolean {
    return this.#failedChecks >= FAILED_CHECKS_MIN || this.chain === 'wrong';
  }

  /** To be asked only where no other is left. */
  get isDoubtful(): boolean {
    return this.isLagging || this.isFailing;
  }
}
