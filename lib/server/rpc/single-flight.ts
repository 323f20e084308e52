import type { WhenGone } from '../http/call';
import { Departure } from './departure';
import { UpstreamFailure } from './upstream-failure';

/** Longer keys are not worth the memory. */
const KEY_LENGTH_MAX = 4_096;

interface Flight<T> {
  promise: Promise<T>;
  departure: Departure;
  passengers: number;
}

/** Lets identical reads that are in flight at the same time share one way upstream. */
export class SingleFlight<T> {
  #flights = new Map<string, Flight<T>>();

  /**
   * Joins the flight with this key, or starts one. It is called off when all who wait for it are gone; whoever is
   * gone gets an UpstreamFailure `aborted` at once.
   */
  join(key: string, whenGone: WhenGone | undefined, start: (whenGone: WhenGone) => Promise<T>): Promise<T> {
    let flight = this.#flights.get(key);
    if (!flight) {
      const departure = new Departure();
      flight = { promise: start(departure.whenGone), departure, passengers: 0 };
      if (key.length <= KEY_LENGTH_MAX) this.#track(key, flight);
    }
    return this.#board(key, flight, whenGone);
  }

  /** From now on nobody joins what took off before: a read after a send must see what the send did. */
  fence(): void {
    if (this.#flights.size > 0) this.#flights = new Map();
  }

  #track(key: string, flight: Flight<T>): void {
    this.#flights.set(key, flight);
    const land = (): void => this.#forget(key, flight);
    flight.promise.then(land, land);
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }

  #board(key: string, flight: Flight<T>, whenGone: WhenGone | undefined): Promise<T> {
    flight.passengers++;
    if (!whenGone) return flight.promise;
    return new Promise((resolve, reject) => {
      const stopListening = whenGone(() => {
        reject(new UpstreamFailure('aborted', 'the client closed the connection'));
        if (--flight.passengers > 0) return;
        this.#forget(key, flight);
        flight.departure.go();
      });
      flight.promise.then(
        (answer) => {
          stopListening();
          resolve(answer);
        },
        (error: unknown) => {
          stopListening();
          reject(error as Error);
        },
      );
    });
  }
}
