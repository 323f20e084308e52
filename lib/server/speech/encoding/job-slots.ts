/** Slots with a bounded queue, in order of arrival. */
export class JobSlots {
  #taken = 0;
  #queue: (() => void)[] = [];

  constructor(
    private readonly slots: number,
    private readonly queueMax: number,
  ) {}

  get isFull(): boolean {
    return this.#taken >= this.slots && this.#queue.length >= this.queueMax;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Waits for a slot. @returns a function that frees the slot @throws the signal's reason */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#taken < this.slots) this.#taken += 1;
    else await this.#wait(signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.#queue.shift();
      if (next) next();
      else this.#taken -= 1;
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#queue = this.#queue.filter((waiting) => waiting !== enter);
        reject(signal?.reason as Error);
      };
      const enter = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(enter);
    });
  }
}
