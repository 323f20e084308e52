import { setTimeout as sleep } from 'node:timers/promises';

/** Of a gateway whose configuration cannot be used (EX_CONFIG of sysexits): to start it again would change nothing. */
export const configurationExitCode = 78;

const firstPauseMs = 1_000;
const pauseMsMax = 60_000;
/** One that ran for so long was well: the next pause is the first again. */
const wellAfterMs = 60_000;

/**
 * Keeps a program running: one that dies is started again, after a pause that doubles with each time. One that ends by
 * itself with code 0, or for its configuration, is not.
 *
 * @template {{ended: Promise<number>}} P
 * @param {P} first the program that runs
 * @param {object} options
 * @param {() => Promise<P>} options.start rejects with an error that has an `exitCode` where it ends before it is ready
 * @param {(line: string) => void} options.say
 * @param {() => boolean} options.isStopping
 * @param {(ms: number) => Promise<unknown>} [options.wait]
 * @param {() => number} [options.now] in milliseconds
 * @returns {Promise<number>} the exit code that it ended with for good
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
    say(`The gateway ended with code ${code}. It is started again in ${pauseMs / 1_000} s.`);
    await wait(pauseMs);
    if (isStopping()) return 0;
    pauseMs = Math.min(pauseMsMax, pauseMs * 2);
    running = await start().catch((error) => {
      say(error instanceof Error ? error.message : String(error));
      code = error?.exitCode ?? 1;
      return null;
    });
    if (running) say('The gateway runs again.');
  }
}
