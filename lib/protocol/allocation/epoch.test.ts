import { describe, expect, it } from 'vitest';
import { DAY_MS, epochAt, epochEnd, epochName, epochStart } from './epoch';

const MIDNIGHT = Date.UTC(2026, 10, 21);

describe('an epoch', () => {
  it('is a day of UTC, to the millisecond: midnight belongs to the one that begins', () => {
    const epoch = epochAt(MIDNIGHT);
    expect([epochAt(MIDNIGHT - 1), epochAt(MIDNIGHT + DAY_MS - 1), epochAt(MIDNIGHT + DAY_MS)]).toEqual([
      epoch - 1,
      epoch,
      epoch + 1,
    ]);
    expect([epochStart(epoch), epochEnd(epoch)]).toEqual([MIDNIGHT, MIDNIGHT + DAY_MS]);
  });

  it('begins where the last one ended, also over the end of a month and of a leap year', () => {
    for (const day of [Date.UTC(2026, 10, 30), Date.UTC(2028, 1, 29), Date.UTC(2028, 11, 31)]) {
      expect(epochAt(epochEnd(epochAt(day)))).toBe(epochAt(day) + 1);
    }
  });

  it('is named by its day', () => {
    expect([epochName(epochAt(MIDNIGHT)), epochName(epochAt(MIDNIGHT - 1)), epochName(0)]).toEqual([
      '2026-11-21',
      '2026-11-20',
      '1970-01-01',
    ]);
  });
});
