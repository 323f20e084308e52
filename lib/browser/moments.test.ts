import { describe, expect, it } from 'vitest';
import { formatDateTime, formatMoment } from './moments';

describe('a moment', () => {
  it('is a time today, and has its date on any other day', () => {
    const noon = new Date(2026, 10, 22, 12, 0, 0).getTime();
    const sameDay = new Date(2026, 10, 22, 0, 1, 0).getTime();
    const dayBefore = new Date(2026, 10, 21, 23, 59, 0).getTime();
    expect(formatMoment(sameDay, noon)).toBe('00:01:00');
    expect(formatMoment(dayBefore, noon)).toBe('21 Nov 2026, 23:59:00');
    expect(formatDateTime(new Date(2026, 10, 22, 16, 5, 30).getTime())).toBe('22 Nov 2026, 16:05:30');
  });
});
