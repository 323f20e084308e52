import { expect, it } from 'vitest';
import { busySeconds } from './others-load';

it("a processor is busy in all that is neither idle nor waiting, and guests count once, within their host's time", () => {
  const stat = 'cpu  100 20 30 90000 7000 4 5 6 50 60\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 12\n';
  expect(busySeconds(stat)).toBeCloseTo(1.65);
});

it('and of a file without that line nothing is known to be', () => {
  expect(busySeconds('intr 12\n')).toBe(0);
});
