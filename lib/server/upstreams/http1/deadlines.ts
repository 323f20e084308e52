/** Time between two checks of the deadlines. A deadline fires about this late, and never early. */
const TICK_MS = 5;

export interface Timed {
  /** Deadline by `performance.now()`. It may change while it is watched. */
  deadline: number;
  slot: number;
  onDeadline(): void;
}

/** Watches all deadlines with one timer, because a timer per call would cost more. */
export class Deadlines {
  readonly #watched: Timed[] = [];
  #timer: NodeJS.Timeout | null = null;

  add(timed: Timed): void {
    timed.slot = this.#watched.length;
    this.#watched.push(timed);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

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
      // Another item's `onDeadline` may have removed this item.
      if (timed.slot < 0) continue;
      this.remove(timed);
      timed.onDeadline();
    }
  }
}

export const deadlines = new Deadlines();
