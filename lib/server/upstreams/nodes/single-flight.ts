import type { WhenGone } from '../../http/call';
import type { Asker } from './asker';
import { UpstreamFailure } from './upstream-failure';

/** Longer keys are not worth the memory. */
const KEY_LENGTH_MAX = 4_096;

/** Lets identical reads that are in flight at the same time share one request. */
export class SingleFlight<T> {
  #flights = new Map<string, Flight<T>>();

  /** @param onShared told how many more than one have an answer */
  constructor(private readonly onShared: (answer: T, more: number) => void = () => undefined) {}

  /**
   * Joins the flight with this key, or starts one where there is none, or none that demands enough. Until its request has
   * been sent it is cancelled when all who wait for it are gone, and each of them who is gone gets an UpstreamFailure
   * `aborted` at once. After that all get its answer, gone or not.
   * @param floor the head that `start` demands of the node: a flight that demands less is not joined.
   */
  join(key: string, whenGone: WhenGone | undefined, start: (asker: Asker) => Promise<T>, floor = 0): Promise<T> {
    let flight = this.#flights.get(key);
    if (!flight || flight.floor < floor) {
      flight = new Flight<T>(key, this.#flights, this.onShared, floor);
      if (key.length <= KEY_LENGTH_MAX) this.#flights.set(key, flight);
      flight.start(start);
    }
    return flight.join(whenGone);
  }

  /** From now on no flight of before is joined: a read after a send must see what the send did. */
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
  /** Cancels it: one listener at a time. */
  #onCancel: (() => void) | null = null;
  #isCancelled = false;
  #isSent = false;

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
   * No read can join any more. What is left holds on to nothing: a table that a Map has outgrown keeps its old
   * entries until the next major collection, and they would keep every answer.
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
