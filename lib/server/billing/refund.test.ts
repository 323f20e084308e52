import { expect, it } from 'vitest';
import { isPaidBack, periodPaidBack } from './video-refunds';

const LATE = Date.UTC(2026, 10, 30, 23, 59);
const MIDNIGHT = Date.UTC(2026, 11, 1);

it('what was taken of a daily allocation comes back in its own day, what was taken of other pots at any time', () => {
  expect([isPaidBack('diem', LATE, MIDNIGHT - 1), isPaidBack('diem', LATE, MIDNIGHT)]).toEqual([true, false]);
  for (const pot of ['bundled', 'usd', 'x402'] as const) expect(isPaidBack(pot, LATE, MIDNIGHT + 1e10)).toBe(true);
});

it('a key has it back in the period of the charge', () => {
  expect([periodPaidBack('MONTH', LATE), periodPaidBack('EPOCH', LATE)]).toEqual(['2026-11', '2026-11-30']);
});
