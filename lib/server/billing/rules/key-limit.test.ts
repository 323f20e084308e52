import { describe, expect, it } from 'vitest';
import { hasLimits, keyLimitRefusal, type KeySpend, keySpendOf, NO_SPEND } from './key-limit';

const LIMITS = { limitPeriod: 'MONTH', limitUsd: 100, limitDiem: 50, limitPrepaid: 30 } as const;
const NOTHING = NO_SPEND;
const spent = (usd: number, diem: number, prepaid = 0): KeySpend => ({ usd, diem, prepaid });

describe("a key's own limits", () => {
  it('count the daily allocation apart from all that is money, and of that once more what was prepaid', () => {
    expect(keySpendOf([1, 20, 300, 4_000])).toEqual({ diem: 1, usd: 4_320, prepaid: 4_000 });
  });

  it('are there if one of them is, nothing included', () => {
    expect(
      [{}, { limitUsd: 0 }, { limitDiem: 0 }, { limitPrepaid: 0 }].map((limits) =>
        hasLimits({ limitPeriod: 'EPOCH', limitUsd: null, limitDiem: null, limitPrepaid: null, ...limits }),
      ),
    ).toEqual([false, true, true, true]);
  });

  it('may be used up, and not exceeded by a billionth', () => {
    expect(keyLimitRefusal(LIMITS, spent(60, 20), [30, 40, 0, 0])).toBeNull();
    expect(keyLimitRefusal(LIMITS, spent(60, 20), [30, 1, 40, 0])).toEqual({
      reason: 'key-limit',
      currency: 'usd',
      period: 'MONTH',
    });
    expect(keyLimitRefusal(LIMITS, spent(60, 20), [31, 0, 0, 0])).toEqual({
      reason: 'key-limit',
      currency: 'diem',
      period: 'MONTH',
    });
  });

  it('on what was prepaid hold beside the one on money, and are nothing where there is none', () => {
    expect(keyLimitRefusal(LIMITS, spent(20, 0, 20), [0, 0, 5, 10])).toBeNull();
    expect(keyLimitRefusal(LIMITS, spent(20, 0, 20), [0, 0, 5, 11])).toEqual({
      reason: 'key-limit',
      currency: 'prepaid',
      period: 'MONTH',
    });
    expect(keyLimitRefusal(LIMITS, spent(95, 0, 0), [0, 0, 0, 6])).toMatchObject({ currency: 'usd' });
    expect(keyLimitRefusal({ ...LIMITS, limitUsd: null, limitPrepaid: null }, NOTHING, [0, 0, 0, 1])).toMatchObject({
      currency: 'prepaid',
    });
  });

  it('name the daily allocation first where both are exceeded', () => {
    expect(keyLimitRefusal(LIMITS, NOTHING, [51, 101, 0, 0])).toMatchObject({ currency: 'diem' });
  });

  it('are no reason to refuse a call that takes nothing of what they limit', () => {
    expect(keyLimitRefusal(LIMITS, spent(500, 0), [50, 0, 0, 0])).toBeNull();
    expect(keyLimitRefusal(LIMITS, spent(0, 500), [0, 0, 100, 0])).toBeNull();
  });
});
