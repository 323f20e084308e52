import { setTimeout as sleep } from 'node:timers/promises';

/** Exit code of a gateway with an unusable configuration (EX_CONFIG of sysexits). A restart would not help. */
export const configurationExitCode = 78;

const firstPauseMs = 1_000;
const pauseMsMax = 60_000;
/** Uptime after which the next pause is short again. */
const wellAfterMs = 60_000;

/**
 * Restarts a program that dies, after a pause that doubles each time. Does not restart a program that ends with code 0
 * or with `configurationExitCode`.
 *
 * @template {{ended: Promise<number>}} P
 * @param {P} first the running program
 * @param {object} options
 * @param {() => Promise<P>} options.start rejects with an error that has an `exitCode`, if the program ends before it
 * is ready
 * @param {(line: string) => void} options.say
 * @param {() => boolean} options.isStopping
 * @param {(ms: number) => Promise<unknown>} [options.wait]
 * @param {() => number} [options.now] in milliseconds
 * @returns {Promise<number>} exit code of the last run
 */
export async function keepRunning(first, { start, say, isStopping, wait = sleep, now = () => performance.now() }) {
  /** @type {P | null} */
  let running = first;
  let code = 0;
  let pauseMs = firstPauseMs;
  for (;;) {
    if (running) {
      const startedMs = now();
      code = await running.ended;
      if (now() - startedMs >= wellAfterMs) pauseMs = firstPauseMs;
    }
    if (isStopping()) return 0;
    if (code === 0 || code === configurationExitCode) {
      say(`The gateway ended with code ${code}.`);
      return code || 1;
    }
    say(`The gateway ended with code ${code}. It starts again in ${pauseMs / 1_000} s.`);
    await wait(pauseMs);
    if (isStopping()) return 0;
    pauseMs = Math.min(pauseMsMax, pauseMs * 2);
    running = await start().catch((error) => {
      say(error instanceof Error ? error.message : String(error));
      code = error?.exitCode ?? 1;
      return null;
    });
    if (running) say('The gateway is running again.');
  }
}
