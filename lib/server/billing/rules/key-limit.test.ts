import { describe, expect, it } from 'vitest';
import { hasLimits, keyLimitRefusal, keySpendOf } from './key-limit';

const LIMITS = { limitPeriod: 'MONTH', limitUsd: 100, limitDiem: 50 } as const;
const NOTHING = { usd: 0, diem: 0 };

describe("a key's own limits", () => {
  it('count the daily allocation apart from all that is money', () => {
    expect(keySpendOf([1, 20, 300, 4_000])).toEqual({ diem: 1, usd: 4_320 });
  });

  it('are there if one of them is, nothing included', () => {
    expect([{ limitUsd: null, limitDiem: null }, { limitUsd: 0, limitDiem: null }, { limitUsd: null, limitDiem: 0 }].map((limits) => hasLimits({ limitPeriod: 'EPOCH', ...limits }))).toEqual([false, true, true]);
  });

  it('may be used up, and not exceeded by a billionth', () => {
    expect(keyLimitRefusal(LIMITS, { usd: 60, diem: 20 }, [30, 40, 0, 0])).toBeNull();
    expect(keyLimitRefusal(LIMITS, { usd: 60, diem: 20 }, [30, 1, 40, 0])).toEqual({ reason: 'key-limit', currency: 'usd', period: 'MONTH' });
    expect(keyLimitRefusal(LIMITS, { usd: 60, diem: 20 }, [31, 0, 0, 0])).toEqual({ reason: 'key-limit', currency: 'diem', period: 'MONTH' });
  });

  it('name the daily allocation first where both are exceeded', () => {
    expect(keyLimitRefusal(LIMITS, NOTHING, [51, 101, 0, 0])).toMatchObject({ currency: 'diem' });
  });

  it('are no reason to refuse a call that takes nothing of what they limit', () => {
    expect(keyLimitRefusal(LIMITS, { usd: 500, diem: 0 }, [50, 0, 0, 0])).toBeNull();
    expect(keyLimitRefusal(LIMITS, { usd: 0, diem: 500 }, [0, 0, 100, 0])).toBeNull();
  });
});
