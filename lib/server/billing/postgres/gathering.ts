/** A batch waits for at most this many calls. */
const ENOUGH = 16;
/** Replaces `ENOUGH` after a wait for a row that another gateway had locked. */
export const ENOUGH_CONTENDED = 32;
/** A batch waits only if at least this many calls are expected. */
const WORTHWHILE = 8;
/**
 * Maximum time for which a batch waits for more calls. Callers of the previous batch usually call again within this
 * time.
 */
const PATIENCE_MS_MAX = 5;
/**
 * After a wait that gathered too few calls, this many batches are sent without a wait. This number doubles if the next
 * wait also gathers too few calls.
 */
const RESTS_MIN = 8;
const RESTS_MAX = 512;

/**
 * Decides how long a batch waits for more calls. Waiting pays off, because a statement's fixed cost equals the cost of
 * a dozen calls, and callers of fast upstreams soon call again. A batch waits at most as long as the last statement
 * took, or 1 ms. If earlier waits gathered too few calls, batches rarely wait. Times are milliseconds of a monotonic
 * clock.
 */
export class Gathering {
  #expected = 0;
  #enough = ENOUGH;
  #tookMs = 0;
  #answeredAt = -Infinity;
  #wanted = 0;
  #rests = 0;
  #restsNext = RESTS_MIN;

  /** Returns how long a batch of this size should wait. */
  patienceMs(queued: number, now: number): number {
    this.#wanted = now - this.#answeredAt < PATIENCE_MS_MAX ? Math.min(this.#enough, this.#expected) : 0;
    if (queued >= this.#wanted || this.#wanted < WORTHWHILE) return 0;
    if (this.#rests === 0) return Math.min(PATIENCE_MS_MAX, Math.max(1, this.#tookMs));
    this.#rests--;
    return 0;
  }

  isComplete(queued: number): boolean {
    return queued >= this.#wanted;
  }

  waited(isComplete: boolean): void {
    this.#rests = isComplete ? 0 : this.#restsNext;
    this.#restsNext = isComplete ? RESTS_MIN : Math.min(RESTS_MAX, this.#restsNext * 2);
  }

  /** Records that the expected calls were sent. */
  sent(): void {
    this.#expected = 0;
  }

  /**
   * Records an answered statement.
   * @param queued number of calls that arrived while the statement ran
   */
  answered(calls: number, queued: number, tookMs: number, now: number, enough = ENOUGH): void {
    this.#expected = calls + queued;
    this.#enough = enough;
    this.#tookMs = tookMs;
    this.#answeredAt = now;
  }
}
