interface Timer {
  at: number;
  order: number;
  run: () => void;
}

const realNow = performance.now.bind(performance);
const realSetTimeout = globalThis.setTimeout;
const realClearTimeout = globalThis.clearTimeout;
const realDateNow = Date.now;

/**
 * Clock that advances only when no other work is left. Timers fire one by one, in order. `performance.now()` returns
 * the time of the last timer that fired. Lets simulations of hours run fast. `restore` brings back real time.
 */
export class VirtualTime {
  now = 0;
  #order = 0;
  readonly #timers = new Map<number, Timer>();
  readonly startedAt = realNow();

  constructor() {
    performance.now = () => this.now;
    Date.now = () => 1_700_000_000_000 + this.now;
    globalThis.setTimeout = ((run: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]) =>
      this.#set(() => run(...args), delayMs)) as typeof setTimeout;
    globalThis.clearTimeout = ((timer: unknown) => void this.#timers.delete(Number(timer))) as typeof clearTimeout;
  }

  restore(): void {
    performance.now = realNow;
    Date.now = realDateNow;
    globalThis.setTimeout = realSetTimeout;
    globalThis.clearTimeout = realClearTimeout;
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.#set(resolve, delayMs));
  }

  /** Advances until the condition holds or no timer is left. */
  async until(isOver: () => boolean): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const timer = isOver() ? null : this.#first();
      if (!timer) return;
      this.#timers.delete(timer.order);
      this.now = Math.max(this.now, timer.at);
      timer.run();
    }
  }

  #first(): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers.values())
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer;
    return first;
  }

  #set(run: () => void, delayMs: number): NodeJS.Timeout {
    const order = ++this.#order;
    this.#timers.set(order, { at: this.now + Math.max(0, delayMs), order, run });
    const handle = {
      unref: () => handle,
      ref: () => handle,
      hasRef: () => true,
      refresh: () => handle,
      close: () => handle,
      [Symbol.toPrimitive]: () => order,
      [Symbol.dispose]: () => undefined,
    };
    return handle as unknown as NodeJS.Timeout;
  }
}
