import { describe, expect, it } from 'vitest';
import { daysOf } from './usage-view';

describe('days of a period', () => {
  it('are all there, oldest first, whatever was charged', () => {
    const data = [{ group: '2026-02-28', charges: 2, units: 40, amount: '0.000028000' }];
    expect(daysOf({ startDate: '2026-02-27T12:00:00.000Z', endDate: '2026-03-01T00:00:00.001Z', data })).toEqual([
      { day: '2026-02-27', usd: 0, charges: 0 },
      { day: '2026-02-28', usd: 0.000028, charges: 2 },
      { day: '2026-03-01', usd: 0, charges: 0 },
    ]);
  });

  it('do not include the day at whose first moment the period ends', () => {
    expect(
      daysOf({ startDate: '2026-11-20T00:00:00.000Z', endDate: '2026-11-21T00:00:00.000Z', data: [] }),
    ).toHaveLength(1);
  });

  it('are bounded, and none for invalid dates', () => {
    expect(daysOf({ startDate: 'x', endDate: 'y', data: [] })).toEqual([]);
    expect(daysOf({ startDate: '1970-01-01T00:00:00Z', endDate: '2026-01-01T00:00:00Z', data: [] })).toHaveLength(367);
  });
});
