import vm from 'node:vm';

/** How often a run begins that a busy machine keeps from running. */
const BEGINNINGS_MAX = 5;
/** A run that had less than this share of its time was kept waiting. */
const RAN_SHARE_MIN = 0.5;

const script = new vm.Script('run()');
const context = vm.createContext({ run: null as (() => unknown) | null });

/**
 * Runs it in this thread, and stops it after this time, in the middle of a regular expression too. Time that the
 * machine spent on something else is not held against it: what was stopped for that begins anew, up to five times.
 * @param run may begin more than once, so it must have no effects
 * @param beginningsMax how often at the most: what is given much time needs no second
 * @throws Error one that `isTimeout` knows, or what it throws
 */
export function runWithin<T>(timeoutMs: number, run: () => T, beginningsMax = BEGINNINGS_MAX): T {
  for (let beginning = 1; ; beginning++) {
    const before = process.cpuUsage();
    try {
      return runOnce(timeoutMs, run);
    } catch (error) {
      const { user, system } = process.cpuUsage(before);
      const ranMs = (user + system) / 1000;
      if (!isTimeout(error) || beginning >= beginningsMax || ranMs >= timeoutMs * RAN_SHARE_MIN) throw error;
    }
  }
}

/** Whether a run was stopped because its time was over. */
export function isTimeout(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function runOnce<T>(timeoutMs: number, run: () => T): T {
  context['run'] = run;
  try {
    return script.runInContext(context, { timeout: timeoutMs }) as T;
  } finally {
    context['run'] = null;
  }
}
