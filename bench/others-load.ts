import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { cpuSeconds } from './cpu-time';

const TICK_SECONDS = 0.01;

/**
 * Watches what processes that are not of this benchmark use of the machine's processors, which is what makes figures noise.
 * @returns called at the end: their share of all processors since, from 0 to 1; null where there is no /proc
 */
export function watchOthers(): () => number | null {
  const startedMs = performance.now();
  const before = othersSeconds();
  return () => {
    const after = othersSeconds();
    if (before === null || after === null) return null;
    return Math.max(0, after - before) / (((performance.now() - startedMs) / 1000) * cpus().length);
  };
}

/** CPU seconds of everything but this process and its descendants, what the host took from the machine (steal) included. */
function othersSeconds(): number | null {
  const own = cpuSeconds(process.pid);
  if (own === null) return null;
  const [user, nice, system, _idle, _wait, interrupts, softInterrupts, steal] = (/^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? '').split(' ').map(Number);
  return [user, nice, system, interrupts, softInterrupts, steal].reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) * TICK_SECONDS - own;
}
