import type { WhenGone } from '../../http/call';
import type { Asker, JoinLine } from './asker';
import { UpstreamFailure } from './upstream-failure';

/**
 * Maximum length of a read's key. Reads with longer keys are not shared, because storing the keys would take too much
 * memory.
 */
const KEY_LENGTH_MAX = 4_096;

/** Lets identical concurrent reads share one request. */
export class SingleFlight<T> {
  #flights = new Map<string, Flight<T>>();

  /** @param onShared called with the number of additional callers that get the answer */
  constructor(private readonly onShared: (answer: T, more: number) => void = () => undefined) {}

  /**
   * Joins the running read with this key, or starts a read. A caller that disconnects before the request is sent gets
   * an UpstreamFailure `aborted`. If all callers disconnect, the request is cancelled. Once the request is sent, all
   * remaining callers get the answer.
   * @param floor minimum head of this read; a running read with a lower minimum is not joined
   * @param caller the caller's account. While a read waits for a connection, it may take the turn of any of its callers
   */
  join(
    key: string,
    whenGone: WhenGone | undefined,
    start: (asker: Asker) => Promise<T>,
    floor = 0,
    caller: number | null = null,
  ): Promise<T> {
    let flight = this.#flights.get(key);
    if (!flight || flight.floor < floor) {
      flight = new Flight<T>(key, this.#flights, this.onShared, floor);
      if (key.length <= KEY_LENGTH_MAX) this.#flights.set(key, flight);
      flight.start(start);
    } else {
      flight.joinLine?.(caller);
    }
    return flight.join(whenGone);
  }

  /**
   * Keeps later reads from joining running reads, because a read after a transaction must see the transaction's effect.
   */
  fence(): void {
    if (this.#flights.size > 0) this.#flights = new Map();
  }
}

interface Waiter<T> {
  resolve: (answer: T) => void;
  reject: (error: Error) => void;
  stopListening: (() => void) | undefined;
}

class Flight<T> implements Asker {
  #waiters: Waiter<T>[] = [];
  #onCancel: (() => void) | null = null;
  #isCancelled = false;
  #isSent = false;
  joinLine: JoinLine | null = null;

  constructor(
    private readonly key: string,
    private readonly flights: Map<string, Flight<T>>,
    private readonly onShared: (answer: T, more: number) => void,
    readonly floor: number,
  ) {}

  readonly whenGone: WhenGone = (listener) => {
    if (this.#isCancelled) listener();
    else this.#onCancel = listener;
    return () => (this.#onCancel = null);
  };

  onSent(): void {
    this.#isSent = true;
    this.joinLine = null;
  }

  onQueued(joinLine: JoinLine): void {
    this.joinLine = joinLine;
  }

  start(ask: (asker: Asker) => Promise<T>): void {
    ask(this).then(
      (answer) => {
        const waiters = this.#end();
        if (waiters.length > 1) this.onShared(answer, waiters.length - 1);
        for (const { stopListening, resolve } of waiters) {
          stopListening?.();
          resolve(answer);
        }
      },
      (error: unknown) => {
        for (const { stopListening, reject } of this.#end()) {
          stopListening?.();
          reject(error as Error);
        }
      },
    );
  }

  join(whenGone: WhenGone | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter<T> = { resolve, reject, stopListening: undefined };
      this.#waiters.push(waiter);
      if (!this.#isSent) waiter.stopListening = whenGone?.(() => this.#leave(waiter));
    });
  }

  /**
   * Stops more callers from joining, and returns the waiting callers. Drops references to them, because V8 may keep
   * this object in memory until the next major garbage collection.
   */
  #end(): Waiter<T>[] {
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#onCancel = null;
    if (this.flights.get(this.key) === this) this.flights.delete(this.key);
    return waiters;
  }

  #leave(waiter: Waiter<T>): void {
    if (this.#isSent) return;
    const index = this.#waiters.indexOf(waiter);
    if (index < 0) return;
    this.#waiters.splice(index, 1);
    waiter.reject(new UpstreamFailure('aborted', 'the client closed the connection'));
    if (this.#waiters.length > 0) return;
    const cancel = this.#onCancel;
    this.#isCancelled = true;
    this.#end();
    cancel?.();
  }
}
