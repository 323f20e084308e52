/**
 * Every date and time that the console shows comes from here: one way of writing them, by a clock of 24 hours, whatever
 * the language of the browser. Where no zone is named it is that of this device. They are put together from what
 * ECMAScript writes in English everywhere, since the first use of `Intl` costs a phone some 50 ms (docs/decisions.md, 249).
 */

/** A moment as the clock here shows it, `14:05:30`; with its date where that is not today's. */
export function formatMoment(atMs: number, nowMs: number = Date.now()): string {
  const { clock, isOn } = read(atMs);
  return isOn(nowMs) ? clock : formatDateTime(atMs);
}

/** A moment with its date: `23 Nov 2026, 14:05:30`. */
export function formatDateTime(atMs: number): string {
  const { day, month, year, clock } = read(atMs);
  return year === '' ? NO_TIME : `${day} ${month} ${year}, ${clock}`;
}

/** A moment with its date and the zone of this device: `23 Nov 2026, 14:05:30 CET`, `GMT+5:30` where English has no name for it. */
export function formatZonedDateTime(atMs: number): string {
  const written = formatDateTime(atMs);
  if (written === NO_TIME) return written;
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
    .formatToParts(atMs)
    .find(({ type }) => type === 'timeZoneName');
  return `${written} ${zone?.value ?? ''}`;
}

/** A moment in UTC, for what is filed or compared: `23 Nov 2026, 14:05:30 UTC`. */
export function formatUtc(atMs: number): string {
  const [, day, month, year, clock] = new Date(atMs).toUTCString().split(' ');
  return `${clock === undefined ? NO_TIME : `${Number(day)} ${month} ${year}, ${clock}`} UTC`;
}

/** A moment within a day from now, to the minute: `14:05`, or `Tue 02:13` where that is not today. */
export function formatUntil(atMs: number, nowMs: number = Date.now()): string {
  const { weekday, clock, isOn } = read(atMs);
  const time = clock.slice(0, 5);
  return isOn(nowMs) ? time : `${weekday} ${time}`.trim();
}

/** A day as the API gives it (`2026-11-23`, of UTC), without its year: `23 Nov`. */
export function formatDay(day: string): string {
  return formatUtc(Date.parse(`${day}T00:00:00Z`))
    .split(' ')
    .slice(0, 2)
    .join(' ')
    .replace(' UTC', '');
}

/** What is no time, from outside, is a dash instead of "Invalid Date". */
const NO_TIME = '–';

function read(atMs: number) {
  const at = new Date(atMs);
  const date = at.toDateString();
  const [weekday = '', month = '', day = '', year = ''] = Number.isNaN(at.getTime()) ? [] : date.split(' ');
  return {
    weekday,
    month,
    day: Number(day),
    year,
    clock: year === '' ? NO_TIME : at.toTimeString().slice(0, 8),
    isOn: (ms: number) => new Date(ms).toDateString() === date,
  };
}
