import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../allocation/epoch';
import { limitPeriodSchema, periodName, periodStart } from './terms';

const AT = Date.UTC(2026, 10, 20, 12, 30);

describe("the period of a key's limit", () => {
  it.each([
    ['EPOCH', '2026-11-20', Date.UTC(2026, 10, 20)],
    ['MONTH', '2026-11', Date.UTC(2026, 10, 1)],
    ['LIFETIME', 'all', 0],
  ] as const)('%s is %s', (period, name, startMs) => {
    expect([periodName(period, AT), periodStart(period, AT)]).toEqual([name, startMs]);
  });

  it.each(limitPeriodSchema.options)(
    '%s is of whole days, since what a key has spent is summed by day (lib/server/db/key-usage.ts)',
    (period) => {
      for (let hour = 0; hour < 24 * 62; hour++) expect(periodStart(period, AT + hour * 3_600_000) % DAY_MS).toBe(0);
    },
  );

  it.each([
    ['EPOCH', Date.UTC(2026, 10, 21)],
    ['MONTH', Date.UTC(2026, 11, 1)],
    ['MONTH', Date.UTC(2027, 0, 1)],
    ['MONTH', Date.UTC(2028, 2, 1)],
  ] as const)('%s turns with the first millisecond of the next', (period, firstMs) => {
    expect(periodName(period, firstMs - 1)).not.toBe(periodName(period, firstMs));
    expect(periodStart(period, firstMs)).toBe(firstMs);
    expect(periodName(period, periodStart(period, firstMs - 1))).toBe(periodName(period, firstMs - 1));
    expect(periodStart(period, firstMs - 1)).toBeLessThan(firstMs);
  });
});
