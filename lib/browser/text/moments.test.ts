import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatDateTime, formatDay, formatMoment, formatUntil, formatUtc, formatZonedDateTime } from './moments';

const DATE_TIME = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;

afterEach(() => vi.unstubAllEnvs());

describe('a moment', () => {
  it('is a time today, and has its date on any other day', () => {
    const noon = new Date(2026, 10, 22, 12, 0, 0).getTime();
    const sameDay = new Date(2026, 10, 22, 0, 1, 0).getTime();
    const dayBefore = new Date(2026, 10, 21, 23, 59, 0).getTime();
    expect(formatMoment(sameDay, noon)).toBe('00:01:00');
    expect(formatMoment(dayBefore, noon)).toBe('21 Nov 2026, 23:59:00');
    expect(formatDateTime(new Date(2026, 10, 22, 16, 5, 30).getTime())).toBe('22 Nov 2026, 16:05:30');
    expect(formatUntil(sameDay, noon)).toBe('00:01');
    expect(formatUntil(dayBefore, noon)).toBe('Sat 23:59');
  });

  // The console writes every month with three letters, September too.
  const platform = (atMs: number, options: Intl.DateTimeFormatOptions) =>
    new Date(atMs).toLocaleString('en-GB', options).replace('Sept', 'Sep');

  it('is written as the platform writes British English, in each month and zone', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns']) {
      vi.stubEnv('TZ', zone);
      for (let month = 0; month < 12; month++) {
        const atMs = Date.UTC(2026, month, 1 + month, month * 2, 5, 9);
        expect(formatDateTime(atMs)).toBe(platform(atMs, DATE_TIME));
        expect(formatUtc(atMs)).toBe(`${platform(atMs, { ...DATE_TIME, timeZone: 'UTC' })} UTC`);
        expect(formatZonedDateTime(atMs)).toBe(platform(atMs, { ...DATE_TIME, timeZoneName: 'short' }));
        expect(formatUntil(atMs, 0)).toBe(
          `${platform(atMs, { weekday: 'short' })} ${platform(atMs, { hour: '2-digit', minute: '2-digit' })}`,
        );
        const day = new Date(atMs).toISOString().slice(0, 10);
        expect(formatDay(day)).toBe(
          platform(Date.parse(`${day}T00:00:00Z`), { day: 'numeric', month: 'short', timeZone: 'UTC' }),
        );
      }
    }
  });

  it('is a dash where what came from outside is no time', () => {
    for (const written of [
      formatMoment(NaN),
      formatDateTime(9e15),
      formatZonedDateTime(NaN),
      formatUntil(Infinity),
      formatDay('tomorrow'),
    ])
      expect(written).toBe('–');
    expect(formatUtc(NaN)).toBe('– UTC');
  });
});
