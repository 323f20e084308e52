import { describe, expect, it } from 'vitest';
import { addMonths, dayForKey, dayTitle, isDay, monthTitle, weeksOf } from './calendar-days';

describe('days of a calendar', () => {
  it.each(['2026-11-21', '2028-02-29'])('%s is one', (text) => expect(isDay(text)).toBe(true));

  it.each(['', '2026-02-30', '2026-13-01', '2026-1-1', '21.11.2026', 'tomorrow', '2026-11-21T00:00:00Z'])(
    '"%s" is not a date',
    (text) => expect(isDay(text)).toBe(false),
  );

  it('fill whole weeks from Monday, with all days of the month', () => {
    const weeks = weeksOf('2026-11-21');
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
    expect(weeks.every((week) => week.length === 7)).toBe(true);
    expect(weeks.flat().filter((day) => day !== null)).toHaveLength(30);
    expect(weeksOf('2027-02-01')).toHaveLength(4);
  });

  it('end with the month where a longer one is left', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-01-31', -2)).toBe('2025-11-30');
    expect(addMonths('2026-12-15', 1)).toBe('2027-01-15');
  });

  it('are named in full', () => {
    expect(dayTitle('2026-11-21')).toBe('Saturday 21 November 2026');
    expect(monthTitle('2027-01-01')).toBe('January 2027');
  });

  it.each([
    ['ArrowLeft', '2026-10-31'],
    ['ArrowDown', '2026-11-08'],
    ['Home', '2026-10-26'],
    ['End', '2026-11-01'],
    ['PageUp', '2026-10-01'],
    ['x', null],
    ['constructor', null],
  ])('are reached by keys: %s from 1 November', (key, day) => expect(dayForKey(key, '2026-11-01')).toBe(day));
});
