import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { cpuSeconds } from './cpu-time';

/** The kernel counts CPU time in hundredths of a second (USER_HZ). */
const TICK_SECONDS = 0.01;

/**
 * Measures the processor time of processes outside this benchmark, which add noise to its results.
 * @returns a function that returns their share of all processors until now, from 0 to 1; null without /proc
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

/** Returns the CPU seconds of all processes except this one and its descendants. */
function othersSeconds(): number | null {
  const own = cpuSeconds(process.pid);
  return own === null ? null : busySeconds(readFileSync('/proc/stat', 'latin1')) - own;
}

/**
 * Returns the busy CPU seconds of all processors from /proc/stat (proc(5)), including time that the host took (steal).
 */
export function busySeconds(stat: string): number {
  const [user = 0, nice = 0, system = 0, _idle, _waiting, interrupts = 0, softInterrupts = 0, steal = 0] = (
    /^cpu +(.*)$/m.exec(stat)?.[1] ?? ''
  )
    .split(' ')
    .map(Number);
  return (user + nice + system + interrupts + softInterrupts + steal) * TICK_SECONDS;
}
