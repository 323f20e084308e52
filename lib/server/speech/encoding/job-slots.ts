import { CallerLines, type LineOwner } from '../../upstreams/caller-lines';

/** A limited number of slots for jobs. A bounded queue gives waiting callers their turns. */
export class JobSlots {
  #taken = 0;
  readonly #waiting: CallerLines<() => void>;

  constructor(
    private readonly slots: number,
    queueMax: number,
  ) {
    this.#waiting = new CallerLines(queueMax);
  }

  get isFull(): boolean {
    return this.#taken >= this.slots && this.#waiting.isFull;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Returns whether a caller can get a slot now, or may wait for a slot. */
  hasRoomFor(caller: LineOwner): boolean {
    return this.#taken < this.slots || this.#waiting.hasRoomFor(caller);
  }

  /**
   * Waits for a slot.
   * @returns a function that frees the slot
   * @throws the signal's reason
   */
  async take(signal?: AbortSignal, caller: LineOwner = null): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#taken < this.slots) this.#taken += 1;
    else await this.#wait(signal, caller);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.#waiting.take();
      if (next) next.item();
      else this.#taken -= 1;
    };
  }

  #wait(signal: AbortSignal | undefined, caller: LineOwner): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.remove(caller, enter);
        reject(signal?.reason as Error);
      };
      const enter = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(caller, enter);
    });
  }
}
