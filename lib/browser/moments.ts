/**
 * Every date and time that the console shows comes from here: one way of writing them, by a clock of 24 hours, whatever
 * the language of the browser. Where no zone is named it is that of this device.
 */
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** A moment as the clock here shows it, `14:05:30`; with its date where that is not today's. */
export function formatMoment(atMs: number, nowMs: number = Date.now()): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return isToday ? write(atMs, TIME) : formatDateTime(atMs);
}

/** A moment with its date: `23 Nov 2026, 14:05:30`. */
export function formatDateTime(atMs: number): string {
  return write(atMs, { ...DATE, ...TIME });
}

/** A moment with its date and the zone of this device: `23 Nov 2026, 14:05:30 CET`. */
export function formatZonedDateTime(atMs: number): string {
  return write(atMs, { ...DATE, ...TIME, timeZoneName: 'short' });
}

/** A moment in UTC, for what is filed or compared: `23 Nov 2026, 14:05:30 UTC`. */
export function formatUtc(atMs: number): string {
  return `${write(atMs, { ...DATE, ...TIME, timeZone: 'UTC' })} UTC`;
}

/** A moment within a day from now, to the minute: `14:05`, or `Tue 02:13` where that is not today. */
export function formatUntil(atMs: number, nowMs: number = Date.now()): string {
  const time = write(atMs, { hour: '2-digit', minute: '2-digit' });
  return new Date(atMs).toDateString() === new Date(nowMs).toDateString() ? time : `${write(atMs, { weekday: 'short' })} ${time}`;
}

/** A day as the API gives it (`2026-11-23`, of UTC), without its year: `23 Nov`. */
export function formatDay(day: string): string {
  return write(Date.parse(`${day}T00:00:00Z`), { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** What is no time, from outside, is a dash: `toLocaleString` would write "Invalid Date". */
function write(atMs: number, options: Intl.DateTimeFormatOptions): string {
  const at = new Date(atMs);
  return Number.isNaN(at.getTime()) ? '–' : at.toLocaleString('en-GB', options);
}
