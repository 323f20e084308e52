import { describe, expect, it } from 'vitest';
import { formatCountdown } from './moments';

describe('a countdown', () => {
  it('shows days and hours only where there are any, and rounds up so that zero means over', () => {
    expect(formatCountdown(7 * 86_400_000 - 4_000)).toBe('6 d 23:59:56');
    expect(formatCountdown(86_400_000)).toBe('1 d 00:00:00');
    expect(formatCountdown(8 * 3600_000)).toBe('8:00:00');
    expect(formatCountdown(14 * 60_000 + 4_001)).toBe('14:05');
    expect(formatCountdown(1)).toBe('0:01');
  });

  it('never goes below zero', () => {
    expect(formatCountdown(0)).toBe('0:00');
    expect(formatCountdown(-5000)).toBe('0:00');
  });
});
