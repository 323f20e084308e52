import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../target';
import { ask } from './ask';

const PAUSE_MS = 20;
const CALM_MS = 500;
/** Maximum latency of other callers during an attack, in addition to three times their latency before the attack. */
const ALLOWED_MS = 1_000;
const CALM_FACTOR = 3;

interface BystanderWait {
  worstMs: number;
  p95Ms: number;
  isBearable: boolean;
}

/** Measures another caller's requests during an attack and shortly before. */
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
