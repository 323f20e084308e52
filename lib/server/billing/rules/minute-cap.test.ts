import { expect, it } from 'vitest';
import { minuteRefusal } from './admission';

const START = 1_700_000_012_345;

it('the requests of a minute are refused beyond the cap, until it ends, and say when that is', () => {
  const minute = { startedAt: START, requests: 3 };
  expect(minuteRefusal(minute, 4, START + 1)).toBeNull();
  expect(minuteRefusal(minute, 3, START + 59_999)).toEqual({
    reason: 'minute-cap',
    limit: 3,
    remaining: 0,
    resetAt: START + 60_000,
  });
  expect(minuteRefusal(minute, 3, START + 60_000)).toBeNull();
  expect(minuteRefusal(minute, null, START)).toBeNull();
});
