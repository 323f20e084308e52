import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createProgress } from './progress.mjs';

beforeEach(() => void vi.stubEnv('NO_COLOR', '1'));
afterEach(() => void vi.unstubAllEnvs());

/** @param {boolean} isTTY */
function terminal(isTTY) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 60 });
  return { stream, shown: () => String(stream.read() ?? '') };
}

/** Returns the text that a terminal shows in the end, without overwritten parts. @param {string} text */
function remaining(text) {
  return text.split('\n').map((line) =>
    line
      .split('\r\x1b[2K')
      .at(-1)
      ?.replace(/\x1b\[[0-9;]*m/g, ''),
  );
}

test('in a log each step has a line when it starts and one when it ends, several of them at once too', () => {
  const { stream, shown } = terminal(false);
  const progress = createProgress(stream);
  const types = progress.step('Types');
  const lint = progress.step('Lint');
  types.update('line 1');
  lint.failed('2 failed');
  progress.line('what it said');
  types.done('1 passed');

  expect(shown().replaceAll(/\d+\.\d s/g, '0.0 s')).toBe(
    'Types …\nLint …\nLint: failed, 2 failed (0.0 s)\nwhat it said\nTypes: done, 1 passed (0.0 s)\n',
  );
});

test('on a terminal steps share the last line, and what ends or is said stands above it', () => {
  const { stream, shown } = terminal(true);
  const progress = createProgress(/** @type {any} */ (stream));
  const types = progress.step('Types');
  const lint = progress.step('Lint');
  expect(remaining(shown())).toEqual([expect.stringMatching(/^⠙ Types, Lint {2}0\.0 s/)]);
  lint.failed('2 failed');
  progress.line('what it said');
  expect(remaining(shown())).toEqual([
    expect.stringMatching(/^✘ Lint {2}2 failed/),
    'what it said',
    expect.stringMatching(/ Types {2}0\.0 s/),
  ]);
  types.done();
  progress.line('after all');
  expect(remaining(shown())).toEqual([expect.stringMatching(/^✔ Types {2}0\.0 s$/), 'after all', '']);
});

test('what was heard last is shown as far as the terminal is wide', () => {
  const { stream, shown } = terminal(true);
  const progress = createProgress(/** @type {any} */ (stream));
  progress.step('Types').update(`\x1b[31m${'x'.repeat(200)}\x1b[0m`);
  const lint = progress.step('Lint');
  expect(Math.max(...remaining(shown()).map((line) => line?.length ?? 0))).toBeLessThanOrEqual(60);
  lint.done();
});
