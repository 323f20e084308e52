const DATE = /^\d{4}-\d{2}-\d{2}$/;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?<offset>Z|[+-]\d{2}:\d{2})$/;
const UTC = /^(?:Z|[+-]00:00)$/;

/**
 * Parses a date (the end of that day, UTC) or an ISO 8601 time with a UTC offset to Unix milliseconds. Null for any
 * other text. A time without an offset would depend on the machine's time zone.
 *
 * @param utcOnly refuses offsets other than zero
 */
export function expiryTimeOf(text: string, { utcOnly }: { utcOnly: boolean }): number | null {
  if (DATE.test(text)) return hasDay(text) ? Date.parse(`${text}T23:59:59.999Z`) : null;
  const offset = ISO_8601.exec(text)?.groups?.['offset'];
  if (offset === undefined || !hasDay(text) || (utcOnly && !UTC.test(offset))) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Returns whether the day exists. `Date.parse` rolls February 30 over into March. */
function hasDay(text: string): boolean {
  const day = text.slice(0, 10);
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
