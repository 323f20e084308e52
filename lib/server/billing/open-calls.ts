import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_AGAIN_MS = 20;

/** How many paid calls of this process are admitted, and neither settled nor released. */
export class OpenCalls {
  count = 0;

  /** Waits until there are none, but no longer than this. @returns whether there are none. */
  async ended(withinMs: number): Promise<boolean> {
    const untilMs = performance.now() + withinMs;
    while (this.count > 0 && performance.now() < untilMs) await sleep(LOOK_AGAIN_MS);
    return this.count === 0;
  }
}
