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
  /** The wait that one in twenty exceeded. */
  p95Ms: number;
  isBearable: boolean;
}

/** Somebody else's requests while an attack runs, and for a moment before: how long the slowest of them took. */
export async function beside(target: Target, attack: () => Promise<unknown>): Promise<BystanderWait> {
  let isOver = false;
  let waitsMs: number[] = [];
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const { elapsedMs } = await ask(target, { path: '/api/health' });
      waitsMs.push(elapsedMs);
      await sleep(PAUSE_MS);
    }
  };
  const watching = watch();
  await sleep(CALM_MS);
  const calmMs = Math.max(0, ...waitsMs);
  waitsMs = [];
  await attack().finally(() => (isOver = true));
  await watching;
  const sorted = waitsMs.sort((one, other) => one - other);
  const worstMs = sorted.at(-1) ?? 0;
  return {
    worstMs,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    isBearable: worstMs < ALLOWED_MS + CALM_FACTOR * calmMs,
  };
}
