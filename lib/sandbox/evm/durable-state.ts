/**
 * Keeps a chain's promise that nobody hears of what is not on disk.
 *
 * Whatever may change the chain runs inside `write`; whoever is about to tell what it read or did waits for `settled`.
 * A save is of the whole state, and changes and saves take turns, so that every save is of one moment. Changes that
 * run at one time share a save.
 */
export class DurableState {
  #writers = 0;
  #isDirty = false;
  #saving: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  /** @param save writes the chain's state to disk, synced; rejects where it could not */
  constructor(private readonly save: () => Promise<void>) {}

  /** Runs what may change the chain, and resolves with its result when it has: it is on disk only when `settled` says so. */
  async write<Result>(change: () => Promise<Result>): Promise<Result> {
    while (this.#saving) await this.#saving.catch(() => undefined);
    this.#writers += 1;
    this.#isDirty = true;
    try {
      return await change();
    } finally {
      this.#writers -= 1;
      if (this.#writers === 0) this.#onIdle?.();
    }
  }

  /**
   * Resolves when the chain as it is now is on disk; at once if nothing has changed since it was.
   *
   * @throws {Error} where it could not be written; the next call tries again
   */
  settled(): Promise<void> {
    if (!this.#isDirty) return Promise.resolve();
    this.#saving ??= this.#saveOnceIdle().finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  async #saveOnceIdle(): Promise<void> {
    if (this.#writers > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#onIdle = undefined;
    await this.save();
    this.#isDirty = false;
  }
}
