/**
 * Ensures that callers see only state that is on disk. Every change to the chain runs inside `write`. Every answer
 * about the chain waits for `settled`.
 *
 * Changes never run during a save, so the saved state is consistent. Concurrent changes share one save.
 */
export class DurableState {
  #writers = 0;
  #isDirty = false;
  #saving: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  /** @param save writes the chain's state to disk and syncs the file; rejects if that fails */
  constructor(private readonly save: () => Promise<void>) {}

  /** Runs a change. The result is on disk only once `settled` resolves. */
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
   * Resolves once the current state is on disk.
   *
   * @throws {Error} if the write failed. The next call retries.
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
