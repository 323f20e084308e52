import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_AGAIN_MS = 20;

export class OpenCalls {
  count = 0;
  readonly #of = new Map<number, number>();

  of(accountId: number): number {
    return this.#of.get(accountId) ?? 0;
  }

  begin(accountId: number): void {
    this.count++;
    this.#of.set(accountId, this.of(accountId) + 1);
  }

  end(accountId: number): void {
    this.count--;
    const left = this.of(accountId) - 1;
    if (left > 0) this.#of.set(accountId, left);
    else this.#of.delete(accountId);
  }

  /** Waits until no call is open, but at most `withinMs`. @returns true if no call is open */
  async ended(withinMs: number): Promise<boolean> {
    const untilMs = performance.now() + withinMs;
    while (this.count > 0 && performance.now() < untilMs) await sleep(LOOK_AGAIN_MS);
    return this.count === 0;
  }
}
