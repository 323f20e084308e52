const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/i;
const MINUTE_MS = 60_000;

/**
 * Parses an RFC 3339 date and time to Unix milliseconds. Null if invalid, or if the day or hour does not exist. A leap
 * second counts as the next second.
 */
export function parseDateTime(text: string): number | null {
  const found = FORM.exec(text);
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const offsetMs = offsetOf(found[8] as string);
  if (offsetMs === null) return null;
  const milliseconds = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return date.setUTCHours(hour, minute, second, milliseconds) - offsetMs;
}

function offsetOf(text: string): number | null {
  if (text.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(4))];
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}
