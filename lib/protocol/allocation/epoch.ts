/** An epoch, and every other day of this service: 24 hours of UTC, without leap seconds. */
export const DAY_MS = 86_400_000;

/**
 * The epoch at a time: days of UTC since 1970. The daily allocation is new with each (spec, "Authentication": it
 * "refreshes each epoch at 00:00 UTC").
 *
 * @param atMs Unix milliseconds
 */
export function epochAt(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

/** When an epoch begins, Unix milliseconds: this moment is part of it. */
export function epochStart(epoch: number): number {
  return epoch * DAY_MS;
}

/** When an epoch ends and the next begins, Unix milliseconds: this moment is part of the next. */
export function epochEnd(epoch: number): number {
  return epochStart(epoch + 1);
}

/** Its day, as `2026-11-21`. */
export function epochName(epoch: number): string {
  return new Date(epochStart(epoch)).toISOString().slice(0, 10);
}
