import type { WhenGone } from '../../http/call';

/**
 * Who asks an upstream. A question can be taken back while no byte of it has left; from then on it is carried out
 * like any other, within its time-out, because the upstream works for it and its caller pays for that.
 */
export interface Asker {
  /** Tells when nobody wants the answer any more. Never after `onSent`, unless somebody else's answer came first. */
  readonly whenGone: WhenGone;
  /** The first byte of the question leaves for an upstream. May be called more than once. */
  onSent(): void;
}

/** A caller whose call may become several questions: once one of them has left, the call is carried out to its end. */
export class CallAsker implements Asker {
  #isSent = false;

  constructor(private readonly client: WhenGone) {}

  readonly whenGone: WhenGone = (listener) => {
    if (this.#isSent) return stayed;
    return this.client(() => {
      if (!this.#isSent) listener();
    });
  };

  onSent(): void {
    this.#isSent = true;
  }
}

function stayed(): void {
  // There is nothing to stop listening to.
}

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
