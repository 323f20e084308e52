import { expect, it } from 'vitest';
import { isTimeout, runWithin } from './run-within';

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};
/** Waits without running, as on a machine that runs something else. */
const wait = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it('gives what is in time', () => {
  expect(runWithin(1_000, () => 'done')).toBe('done');
});

it('passes on what it throws, at once', () => {
  let beginnings = 0;
  const error = thrownBy(() => runWithin(1_000, () => { beginnings++; throw new RangeError('deep'); }));
  expect([(error as Error).message, isTimeout(error), beginnings]).toEqual(['deep', false, 1]);
});

it('stops what runs for too long, in the middle of a regular expression', () => {
  expect(isTimeout(thrownBy(() => runWithin(50, () => /^(a+)+$/.test(`${'a'.repeat(60)}!`))))).toBe(true);
});

it('does not hold time against it in which it could not run', () => {
  let beginnings = 0;
  expect(runWithin(100, () => (++beginnings < 3 ? wait(5_000) : 'done'))).toBe('done');
  expect(beginnings).toBe(3);
});

it('begins no more often than it may', () => {
  let beginnings = 0;
  expect(isTimeout(thrownBy(() => runWithin(20, () => { beginnings++; wait(5_000); }, 1)))).toBe(true);
  expect(beginnings).toBe(1);
});

it('gives up on what never gets to run', () => {
  let beginnings = 0;
  expect(isTimeout(thrownBy(() => runWithin(20, () => { beginnings++; wait(5_000); })))).toBe(true);
  expect(beginnings).toBeLessThanOrEqual(5);
});
