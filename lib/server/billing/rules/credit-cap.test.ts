import { describe, expect, it } from 'vitest';
import { creditMinute, creditRefusal, creditsForgottenAt, oldestCreditMinute } from './credit-cap';

const NOW = Date.UTC(2026, 10, 20, 12, 0, 30);
const counted = (charged: number, held: number) => ({
  charged: () => charged,
  held,
  freeAt: (_now: number, credits: number) => NOW + credits,
});

describe('the credits of 24 hours (spec, "Limits")', () => {
  it('count by the minute, until all of it is older than 24 hours', () => {
    const minute = creditMinute(NOW);
    const forgottenAt = creditsForgottenAt(minute);
    expect(forgottenAt - NOW).toBe(24 * 3_600_000 + 30_000);
    expect([oldestCreditMinute(forgottenAt - 1), oldestCreditMinute(forgottenAt)]).toEqual([minute, minute + 1]);
  });

  it('may be used up by what was charged and what is held together', () => {
    expect(creditRefusal(counted(60, 20), 100, 20, NOW)).toBeNull();
    expect(creditRefusal(counted(60, 20), 100, 21, NOW)).toEqual({
      reason: 'credit-cap',
      limit: 100,
      remaining: 20,
      resetAt: NOW + 1,
    });
  });

  it('are never said to be fewer than none, and the wait is for all that is missing', () => {
    expect(creditRefusal(counted(130, 20), 100, 5, NOW)).toEqual({
      reason: 'credit-cap',
      limit: 100,
      remaining: 0,
      resetAt: NOW + 55,
    });
  });

  it('have no end where the tier has none', () => {
    expect(creditRefusal(counted(1e12, 0), null, 1, NOW)).toBeNull();
  });
});
