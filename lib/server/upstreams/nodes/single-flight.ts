import type { WhenGone } from '../../http/call';
import type { Asker } from './asker';
import { UpstreamFailure } from './upstream-failure';

/** Longer keys are not worth the memory. */
const KEY_LENGTH_MAX = 4_096;

/** Lets identical reads that are in flight at the same time share one way upstream. */
export class SingleFlight<T> {
  #flights = new Map<string, Flight<T>>();

  /** @param onShared told how many more than one have an answer */
  constructor(private readonly onShared: (answer: T, more: number) => void = () => undefined) {}

  /**
   * Joins the flight with this key, or starts one where there is none, or none of which enough was demanded. Until its question has been sent it is called off when all who wait
   * for it are gone, and whoever is gone gets an UpstreamFailure `aborted` at once; after that all get its answer,
   * gone or not.
   * @param floor what `start` demands of whoever answers: nobody joins a flight that demands less than he does.
   */
  join(key: string, whenGone: WhenGone | undefined, start: (asker: Asker) => Promise<T>, floor = 0): Promise<T> {
    let flight = this.#flights.get(key);
    if (!flight || flight.floor < floor) {
      flight = new Flight<T>(key, this.#flights, this.onShared, floor);
      if (key.length <= KEY_LENGTH_MAX) this.#flights.set(key, flight);
      flight.takeOff(start);
    }
    return flight.board(whenGone);
  }

  /** From now on nobody joins what took off before: a read after a send must see what the send did. */
  fence(): void {
    if (this.#flights.size > 0) this.#flights = new Map();
  }
}

interface Passenger<T> {
  resolve: (answer: T) => void;
  reject: (error: Error) => void;
  stopListening: (() => void) | undefined;
}

class Flight<T> implements Asker {
  #passengers: Passenger<T>[] = [];
  /** How to call it off: one listener at a time. */
  #abandon: (() => void) | null = null;
  #isAbandoned = false;
  #isSent = false;

  constructor(
    private readonly key: string,
    private readonly flights: Map<string, Flight<T>>,
    private readonly onShared: (answer: T, more: number) => void,
    readonly floor: number,
  ) {}

  readonly whenGone: WhenGone = (listener) => {
    if (this.#isAbandoned) listener();
    else this.#abandon = listener;
    return () => (this.#abandon = null);
  };

  onSent(): void {
    this.#isSent = true;
  }

  takeOff(start: (asker: Asker) => Promise<T>): void {
    start(this).then(
      (answer) => {
        const passengers = this.#land();
        if (passengers.length > 1) this.onShared(answer, passengers.length - 1);
        for (const { stopListening, resolve } of passengers) {
          stopListening?.();
          resolve(answer);
        }
      },
      (error: unknown) => {
        for (const { stopListening, reject } of this.#land()) {
          stopListening?.();
          reject(error as Error);
        }
      },
    );
  }

  board(whenGone: WhenGone | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const passenger: Passenger<T> = { resolve, reject, stopListening: undefined };
      this.#passengers.push(passenger);
      if (!this.#isSent) passenger.stopListening = whenGone?.(() => this.#leave(passenger));
    });
  }

  /**
   * Nobody can join any more. What is left holds on to nothing: a table that a Map has outgrown keeps its old
   * entries until the next major collection, and they would keep every answer.
   */
  #land(): Passenger<T>[] {
    const passengers = this.#passengers;
    this.#passengers = [];
    this.#abandon = null;
    if (this.flights.get(this.key) === this) this.flights.delete(this.key);
    return passengers;
  }

  #leave(passenger: Passenger<T>): void {
    if (this.#isSent) return;
    const index = this.#passengers.indexOf(passenger);
    if (index < 0) return;
    this.#passengers.splice(index, 1);
    passenger.reject(new UpstreamFailure('aborted', 'the client closed the connection'));
    if (this.#passengers.length > 0) return;
    const abandon = this.#abandon;
    this.#isAbandoned = true;
    this.#land();
    abandon?.();
  }
}
