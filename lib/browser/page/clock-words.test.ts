import { describe, expect, it } from 'vitest';
import { clockSentence } from './clock-words';

describe('a clock that is wrong', () => {
  it.each([
    [null, null],
    [59_000, null],
    [-60_000, null],
    [90_000, '2 minutes fast'],
    [-61_000, 'a minute slow'],
    [3_600_000, 'an hour fast'],
    [-3_590_000, 'an hour slow'],
    [36_000_000, '10 hours fast'],
    [-400 * 86_400_000, '400 days slow'],
  ])('by %s ms is said: %s', (aheadMs, said) => {
    if (said === null) expect(clockSentence(aheadMs)).toBeNull();
    else expect(clockSentence(aheadMs)).toContain(`is ${said}.`);
  });
});
