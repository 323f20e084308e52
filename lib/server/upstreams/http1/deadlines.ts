/** How late an end may be noticed. Never early. */
const TICK_MS = 5;

/** Something that ends by itself at a time, unless it is over before. */
export interface Timed {
  /** Milliseconds of `performance.now()`. May be changed while it is watched. */
  deadline: number;
  /** Place among all that are watched; -1 while it is not. Belongs to `Deadlines`. */
  slot: number;
  /** Called once, when the deadline has passed; it is watched no longer then. */
  onDeadline(): void;
}

/**
 * Watches deadlines with one timer for all of them, which runs while there are any: a timer for each call costs more
 * than everything else that is done about its time.
 */
export class Deadlines {
  readonly #watched: Timed[] = [];
  #timer: NodeJS.Timeout | null = null;

  add(timed: Timed): void {
    timed.slot = this.#watched.length;
    this.#watched.push(timed);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  /** Without effect on what is not watched. */
  remove(timed: Timed): void {
    const { slot } = timed;
    if (slot < 0) return;
    timed.slot = -1;
    const last = this.#watched.pop() as Timed;
    if (last === timed) return;
    this.#watched[slot] = last;
    last.slot = slot;
  }

  #tick(): void {
    if (this.#watched.length === 0) {
      clearInterval(this.#timer as NodeJS.Timeout);
      this.#timer = null;
      return;
    }
    const now = performance.now();
    const due = this.#watched.filter(({ deadline }) => deadline <= now);
    for (const timed of due) {
      // One that ended may have ended others.
      if (timed.slot < 0) continue;
      this.remove(timed);
      timed.onDeadline();
    }
  }
}

/** Those of all calls of this process. */
export const deadlines = new Deadlines();
