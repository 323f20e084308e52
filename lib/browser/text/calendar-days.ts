/** Calendar days as text, such as `2026-11-21`, without a time zone. Avoids `Intl` (docs/decisions/console.md, 249). */

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
export const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

export function isDay(text: string): boolean {
  return DAY.test(text) && dayAt(Date.parse(text)) === text;
}

/** Returns the day in UTC at a time in Unix milliseconds; empty for an invalid time. */
export function dayAt(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : '';
}

export function addDays(day: string, days: number): string {
  return dayAt(Date.parse(day) + days * DAY_MS);
}

/** Adds months. If the month lacks the day, returns the month's last day. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0));
  return dayAt(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate())));
}

/** Returns the weeks of the day's month, each starting on Monday. Days of other months are null. */
export function weeksOf(day: string): (string | null)[][] {
  const first = `${day.slice(0, 8)}01`;
  const start = addDays(first, -weekdayOf(first));
  const weeks: (string | null)[][] = [];
  for (let monday = start; monday < addMonths(first, 1); monday = addDays(monday, 7))
    weeks.push(
      WEEKDAYS.map((_, index) => addDays(monday, index)).map((each) =>
        each.slice(0, 7) === day.slice(0, 7) ? each : null,
      ),
    );
  return weeks;
}

export function monthTitle(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
}

/** Formats a day in full: `Saturday 21 November 2026`. */
export function dayTitle(day: string): string {
  return `${WEEKDAYS[weekdayOf(day)]} ${Number(day.slice(8))} ${monthTitle(day)}`;
}

/** Returns the day to which a key moves in a calendar; null for other keys. */
export function dayForKey(key: string, day: string): string | null {
  const weekday = weekdayOf(day);
  const days: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -weekday,
    End: 6 - weekday,
  };
  if (key === 'PageUp' || key === 'PageDown') return addMonths(day, key === 'PageUp' ? -1 : 1);
  const step = Object.hasOwn(days, key) ? days[key] : undefined;
  return step === undefined ? null : addDays(day, step);
}

function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}
