import type { SlotClock } from '../slot-clock';

/** Calls listeners at the start of every slot. The timer runs only while there are listeners. */
export class SlotTicker {
  readonly #listeners = new Set<(slot: number) => void>();
  #timer: NodeJS.Timeout | undefined;
  #told = 0;

  constructor(private readonly clock: SlotClock) {}

  /** @returns function that unsubscribes */
  onSlot(listener: (slot: number) => void): () => void {
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#told = this.clock.now();
      this.#wait();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#tick(), this.clock.untilNextMs());
  }

  #tick(): void {
    const slot = this.clock.now();
    this.#wait();
    if (slot === this.#told) return;
    this.#told = slot;
    for (const listener of [...this.#listeners]) listener(slot);
  }
}
