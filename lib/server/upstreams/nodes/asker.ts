import type { WhenGone } from '../../http/call';

/**
 * Who asks an upstream. A request can be cancelled while no byte of it has left. From then on it is carried out like any
 * other, within its time-out, because the upstream works for it and its caller pays for that.
 */
export interface Asker {
  /** Calls the listener when the answer is no longer wanted. Never after `onSent`, unless another upstream answered first. */
  readonly whenGone: WhenGone;
  /** The first byte of the request leaves for an upstream. May be called more than once. */
  onSent(): void;
}

/** A caller whose call may become several requests: once one of them has left, the call is carried out to its end. */
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

/** Cancels a request: tells everyone who works on it that its answer is no longer wanted. */
export class CancelSignal implements Asker {
  readonly #listeners = new Set<() => void>();
  #isCancelled = false;

  /** @param onSent hears when the request has left, which cancels nothing. */
  constructor(readonly onSent: () => void = () => undefined) {}

  readonly whenGone: WhenGone = (listener) => {
    if (this.#isCancelled) listener();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells every listener, once. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
