import { describe, expect, it } from 'vitest';
import { lookAgainAfterMs, resubmitAfterMs } from './payment-pace';

const MINUTE = 60_000;

/** Returns how many submissions are made within `ms` if none succeeds. */
function submissionsWithin(ms: number): number {
  let attempts = 1;
  for (let at = resubmitAfterMs(1); at <= ms; at += resubmitAfterMs(attempts)) attempts++;
  return attempts;
}

describe('the pace of a payment that is open', () => {
  it('submits it soon again after a short outage, and a bounded number of times in the day for which it can be valid', () => {
    expect(submissionsWithin(MINUTE)).toBeLessThanOrEqual(8);
    for (let outageMs = 0; outageMs < 10 * MINUTE; outageMs += 1_000) {
      expect(resubmitAfterMs(submissionsWithin(outageMs))).toBeLessThanOrEqual(outageMs < 2 * MINUTE ? 15_000 : MINUTE);
    }
    expect(submissionsWithin(24 * 60 * MINUTE)).toBeLessThanOrEqual(70);
  });

  it('looks for a young one every few seconds, however often it was looked for, and for an old one every ten minutes', () => {
    expect(lookAgainAfterMs({ looks: 0, created_at: 0 }, 0)).toBe(500);
    expect(lookAgainAfterMs({ looks: 100, created_at: 0 }, 2 * MINUTE)).toBe(8_000);
    expect(lookAgainAfterMs({ looks: 100, created_at: 0 }, 4 * MINUTE)).toBe(MINUTE);
    expect(lookAgainAfterMs({ looks: 0, created_at: 0 }, 31 * MINUTE)).toBe(10 * MINUTE);
  });
});
