/** A batch of so many calls waits for no more: what a statement costs by itself is little beside them. */
const ENOUGH = 16;
/** Fewer are not worth a wait: theirs are callers who come one by one. */
const WORTHWHILE = 8;
/** The longest wait, and how long after an answer somebody may be expected back. */
const PATIENCE_MS_MAX = 5;
/** After a wait in vain, so many batches go without one; twice as many after each further one. */
const RESTS_MIN = 8;
const RESTS_MAX = 512;

/**
 * Says how long a batch waits for calls that are about to come. Those whose calls were in the last batch come back
 * soon where upstreams are quick: an admitted call to be charged, a charged one's caller with his next. A statement
 * costs as much by itself as a dozen calls in it, so a batch waits for them, no longer than the last statement took,
 * and as long as they do come. Times are milliseconds of one monotonic clock.
 */
export class Gathering {
  #expected = 0;
  #tookMs = 0;
  #answeredAt = -Infinity;
  #wanted = 0;
  #rests = 0;
  #restsNext = RESTS_MIN;

  /** A batch could go now with so many calls. @returns how long it should wait for more; 0 for not at all. */
  patienceMs(queued: number, now: number): number {
    this.#wanted = now - this.#answeredAt < PATIENCE_MS_MAX ? Math.min(ENOUGH, this.#expected) : 0;
    if (queued >= this.#wanted || this.#wanted < WORTHWHILE) return 0;
    if (this.#rests === 0) return Math.min(PATIENCE_MS_MAX, Math.max(1, this.#tookMs));
    this.#rests--;
    return 0;
  }

  /** Whether a batch that waits has got what it waits for. */
  isComplete(queued: number): boolean {
    return queued >= this.#wanted;
  }

  /** A wait is over. */
  waited(isComplete: boolean): void {
    this.#rests = isComplete ? 0 : this.#restsNext;
    this.#restsNext = isComplete ? RESTS_MIN : Math.min(RESTS_MAX, this.#restsNext * 2);
  }

  /**
   * A statement was answered.
   * @param calls it had
   * @param queued meanwhile
   */
  answered(calls: number, queued: number, tookMs: number, now: number): void {
    this.#expected = calls + queued;
    this.#tookMs = tookMs;
    this.#answeredAt = now;
  }
}
