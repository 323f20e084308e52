import type { WhenGone } from '../../http/call';

/**
 * Caller for whom the gateway asks an upstream. A request can be cancelled until its first byte is sent. After that it
 * runs to its end, because the upstream is working on it and the caller pays for it.
 */
export interface Asker {
  /**
   * Calls the listener when the answer is no longer needed. After `onSent`, this happens only if another upstream has
   * answered first.
   */
  readonly whenGone: WhenGone;
  /** Called when the first byte is sent to an upstream. May be called more than once. */
  onSent(): void;
  /** Called when the request waits for a connection. */
  onQueued?(joinLine: JoinLine): void;
}

/** Lets a waiting request use the turns of another caller too, if that caller needs the same answer. */
export type JoinLine = (caller: number | null) => void;

/** Caller whose call may need several requests. Once the first request is sent, the call runs to its end. */
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
  // There is no listener to remove.
}

export class CancelSignal implements Asker {
  readonly #listeners = new Set<() => void>();
  #isCancelled = false;

  constructor(
    readonly onSent: () => void = () => undefined,
    readonly onQueued: (joinLine: JoinLine) => void = () => undefined,
  ) {}

  readonly whenGone: WhenGone = (listener) => {
    if (this.#isCancelled) listener();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
