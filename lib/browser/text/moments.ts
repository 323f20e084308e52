/**
 * Formats every date and time of the console with a 24-hour clock, in the device's time zone unless the function's name
 * says UTC. Only zone names use `Intl`, whose first use costs a phone about 50 ms (docs/decisions/console.md, 249).
 */

/** Formats a time as `14:05:30`. Adds the date unless it is today. */
export function formatMoment(atMs: number, nowMs: number = Date.now()): string {
  const { clock, isOn } = read(atMs);
  return isOn(nowMs) ? clock : formatDateTime(atMs);
}

/** Formats date and time: `23 Nov 2026, 14:05:30`. */
export function formatDateTime(atMs: number): string {
  const { day, month, year, clock } = read(atMs);
  return year === '' ? NO_TIME : `${day} ${month} ${year}, ${clock}`;
}

/**
 * Formats date, time and the device's zone: `23 Nov 2026, 14:05:30 CET`, or `GMT+5:30` if English has no abbreviation.
 */
export function formatZonedDateTime(atMs: number): string {
  const written = formatDateTime(atMs);
  if (written === NO_TIME) return written;
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
    .formatToParts(atMs)
    .find(({ type }) => type === 'timeZoneName');
  return `${written} ${zone?.value ?? ''}`;
}

/** Formats a time in UTC, for records: `23 Nov 2026, 14:05:30 UTC`. */
export function formatUtc(atMs: number): string {
  const [, day, month, year, clock] = new Date(atMs).toUTCString().split(' ');
  return `${clock === undefined ? NO_TIME : `${Number(day)} ${month} ${year}, ${clock}`} UTC`;
}

/** Formats a time in the next 24 hours, without seconds: `14:05`, or `Tue 02:13` on another day. */
export function formatUntil(atMs: number, nowMs: number = Date.now()): string {
  const { weekday, clock, isOn } = read(atMs);
  const time = clock.slice(0, 5);
  return isOn(nowMs) ? time : `${weekday} ${time}`.trim();
}

/** Formats a UTC day of the API (`2026-11-23`) without its year: `23 Nov`. */
export function formatDay(day: string): string {
  return formatUtc(Date.parse(`${day}T00:00:00Z`))
    .split(' ')
    .slice(0, 2)
    .join(' ')
    .replace(' UTC', '');
}

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

/** Formats remaining time: `6 d 23:59:04`, `7:59:04`, `14:05`; never below zero. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${days} d ${two(hours)}:${two(minutes)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
