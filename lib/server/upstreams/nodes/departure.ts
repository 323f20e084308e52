import type { WhenGone } from '../../http/call';
import type { Asker } from './asker';

/** The end of somebody's interest in an answer, for others to listen to. */
export class Departure implements Asker {
  readonly #listeners = new Set<() => void>();
  #gone = false;

  /** @param onSent hears when the question has left, which does not end anybody's interest. */
  constructor(readonly onSent: () => void = () => undefined) {}

  readonly whenGone: WhenGone = (listener) => {
    if (this.#gone) listener();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells every listener, once. */
  go(): void {
    if (this.#gone) return;
    this.#gone = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
