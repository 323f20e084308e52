import { describe, expect, test } from 'vitest';

import { configurationExitCode, keepRunning } from './kept-running.mjs';

/**
 * Runs a simulated program once per entry: its uptime in seconds and exit code, or the exit code of a failed start.
 *
 * @param {({seconds: number, code: number} | {failsWith: number})[]} lives
 * @param {{stopAfter?: number}} [options] number of pauses after which a stop is requested
 */
async function kept(lives, { stopAfter = Infinity } = {}) {
  const clock = { ms: 0 };
  /** @type {number[]} */
  const pauses = [];
  /** @type {string[]} */
  const said = [];
  const left = [...lives];
  const live = (/** @type {{seconds: number, code: number}} */ { seconds, code }) => ({
    get ended() {
      return Promise.resolve().then(() => {
        clock.ms += seconds * 1_000;
        return code;
      });
    },
  });
  const start = async () => {
    const next = left.shift();
    if (!next) throw new Error('It was started more often than expected.');
    if ('failsWith' in next) throw Object.assign(new Error('It did not start.'), { exitCode: next.failsWith });
    return live(next);
  };
  const code = await keepRunning(await start(), {
    start,
    say: (line) => said.push(line),
    isStopping: () => pauses.length >= stopAfter,
    wait: async (ms) => void pauses.push(ms / 1_000),
    now: () => clock.ms,
  });
  return { code, pauses, said, startsLeft: left.length };
}

const crash = { seconds: 1, code: 134 };
const ended = { seconds: 1, code: 0 };

describe('a gateway whose process dies', () => {
  test('is started again after a pause that doubles up to a minute', async () => {
    const { pauses, said } = await kept([...new Array(9).fill(crash), ended]);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(said[0]).toBe('The gateway ended with code 134. It starts again in 1 s.');
    expect(said[1]).toBe('The gateway is running again.');
  });

  test('begins with the first pause again once it was well for a minute', async () => {
    expect((await kept([crash, crash, { seconds: 61, code: 134 }, crash, ended])).pauses).toEqual([1, 2, 1, 2]);
  });

  test('is started again where a start fails, but not for its configuration', async () => {
    expect(await kept([crash, { failsWith: 1 }, { failsWith: 1 }, { failsWith: configurationExitCode }])).toMatchObject(
      { code: configurationExitCode, pauses: [1, 2, 4], startsLeft: 0 },
    );
  });

  test('is not where it ended by itself without a fault', async () => {
    expect(await kept([ended])).toMatchObject({ code: 1, pauses: [], said: ['The gateway ended with code 0.'] });
  });

  test('is not once the command is told to stop, be it in the pause', async () => {
    expect(await kept([crash, crash], { stopAfter: 1 })).toMatchObject({ code: 0, pauses: [1], startsLeft: 1 });
  });
});
