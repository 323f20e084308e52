import { describe, expect, it } from 'vitest';
import { plannedStake } from './allocation';

const TOKEN = 10n ** 18n;
const pool = { total: 99n * TOKEN, decimals: 18, dailyPoolUsd: 1_000 };

describe('what a stake would give', () => {
  it('is its share of the pool with itself in it', () => {
    expect(plannedStake('1', pool)).toEqual({ ok: true, usdPerDay: 10, share: 0.01, isUnderMinimum: false });
  });

  it('is the whole pool for the first who stakes', () => {
    expect(plannedStake(' 0.1 ', { ...pool, total: 0n })).toEqual({
      ok: true,
      usdPerDay: 1_000,
      share: 1,
      isUnderMinimum: false,
    });
  });

  it.each(['0', '0.099999999999999999'])('is nothing under a tenth of a token, which is said: %s', (text) => {
    expect(plannedStake(text, pool)).toMatchObject({ ok: true, usdPerDay: 0, isUnderMinimum: true });
  });

  it.each(['', 'ten', '-1', '1e3', '1,5', '0.0000000000000000001', '٣', '1'.repeat(31)])(
    'is not worked out for %j',
    (text) => {
      expect(plannedStake(text, pool).ok).toBe(false);
    },
  );

  it('needs no pool that has anything in it', () => {
    expect(plannedStake('0', { ...pool, total: 0n })).toMatchObject({ ok: true, usdPerDay: 0, share: 0 });
  });
});
