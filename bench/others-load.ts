import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { cpuSeconds } from './cpu-time';

/** The kernel counts CPU time in hundredths of a second (USER_HZ). */
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

/** CPU seconds of everything but this process and its descendants. */
function othersSeconds(): number | null {
  const own = cpuSeconds(process.pid);
  return own === null ? null : busySeconds(readFileSync('/proc/stat', 'latin1')) - own;
}

/** CPU seconds that all processors have been busy, as /proc/stat (proc(5)) tells, with those that the host took from the machine (steal). */
export function busySeconds(stat: string): number {
  const [user = 0, nice = 0, system = 0, _idle, _waiting, interrupts = 0, softInterrupts = 0, steal = 0] = (
    /^cpu +(.*)$/m.exec(stat)?.[1] ?? ''
  )
    .split(' ')
    .map(Number);
  return (user + nice + system + interrupts + softInterrupts + steal) * TICK_SECONDS;
}
