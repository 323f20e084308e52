import type { LineOwner } from './caller-lines';
import { FairSlots } from './fair-slots';

const RETRY_AFTER_MS = 5_000;

/** Error if a request would wait too long for a slot. The request was not sent. */
export class SlotsBusy extends Error {
  override readonly name = 'SlotsBusy';
  constructor(readonly retryAfterMs: number) {
    super('Too many requests are running.');
  }
}

interface Wait {
  waitMsMax?: number;
  signal?: AbortSignal | undefined;
}

/** Promise-based interface of `FairSlots`. */
export class RequestSlots {
  readonly #running = new Map<LineOwner, number>();
  readonly #slots: FairSlots<() => void>;

  constructor(slots: number, queueMax: number) {
    this.#slots = new FairSlots(slots, queueMax, () => new Map(this.#running));
  }

  get isFull(): boolean {
    return this.#slots.isFull;
  }

  get taken(): number {
    return this.#slots.taken;
  }

  get waiting(): number {
    return this.#slots.waiting;
  }

  hasRoomFor(caller: LineOwner): boolean {
    return this.#slots.hasRoomFor(caller);
  }

  /** Returns whether a caller's request would be refused immediately. */
  refuses(caller: LineOwner, waitMsMax = Infinity): boolean {
    return !this.#slots.hasRoomFor(caller) && this.#slots.retryAfterMs(caller, waitMsMax) !== null;
  }

  /**
   * Takes a slot, or waits for the caller's turn.
   * @returns a function that frees the slot
   * @throws SlotsBusy immediately if the wait would be too long, or after `waitMsMax`; the signal's reason when it
   * aborts
   */
  async take(caller: LineOwner, { waitMsMax = Infinity, signal }: Wait = {}): Promise<() => void> {
    signal?.throwIfAborted();
    if (!this.#slots.take(caller)) await this.#turn(caller, waitMsMax, signal);
    else this.#count(caller, 1);
    const startedAt = performance.now();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count(caller, -1);
      this.#slots.free(caller, startedAt);
      this.#slots.beginWaiting((begin, next) => {
        this.#count(next, 1);
        begin();
      });
    };
  }

  #turn(caller: LineOwner, waitMsMax: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const begin = (): void => {
        stop();
        resolve();
      };
      const giveUp = (reason: Error): void => {
        stop();
        this.#slots.remove(caller, begin);
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal?.reason as Error);
      const retryAfterMs = this.#slots.wait(caller, begin, waitMsMax);
      if (retryAfterMs !== null) return reject(new SlotsBusy(retryAfterMs));
      const timer =
        waitMsMax === Infinity ? undefined : setTimeout(() => giveUp(new SlotsBusy(RETRY_AFTER_MS)), waitMsMax);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  #count(caller: LineOwner, change: number): void {
    const count = (this.#running.get(caller) ?? 0) + change;
    if (count > 0) this.#running.set(caller, count);
    else this.#running.delete(caller);
  }
}
