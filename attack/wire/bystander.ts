import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../target';
import { ask } from './ask';

const PAUSE_MS = 20;
const CALM_MS = 500;
/** What others may wait for beside an attack, over what a busy machine has them wait for anyway. */
const ALLOWED_MS = 1_000;
const CALM_FACTOR = 3;

/** What an attack cost somebody else. */
export interface BystanderWait {
  /** The longest wait, in milliseconds. */
  worstMs: number;
  isBearable: boolean;
}

/** Somebody else's requests while an attack runs, and for a moment before: how long the slowest of them took. */
export async function beside(target: Target, attack: () => Promise<unknown>): Promise<BystanderWait> {
  let isOver = false;
  let worstMs = 0;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const { elapsedMs } = await ask(target, { path: '/api/health' });
      worstMs = Math.max(worstMs, elapsedMs);
      await sleep(PAUSE_MS);
    }
  };
  const watching = watch();
  await sleep(CALM_MS);
  const calmMs = worstMs;
  worstMs = 0;
  await attack().finally(() => (isOver = true));
  await watching;
  return { worstMs, isBearable: worstMs < ALLOWED_MS + CALM_FACTOR * calmMs };
}
