/** Length of a UTC day in milliseconds. */
export const DAY_MS = 86_400_000;

/**
 * Returns the number of the epoch that contains a time. Epochs are UTC days, counted since 1970. The daily allocation
 * "refreshes each epoch at 00:00 UTC" (spec, "Authentication").
 *
 * @param atMs Unix milliseconds
 */
export function epochAt(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

/** Returns the start of an epoch, Unix milliseconds, inclusive. */
export function epochStart(epoch: number): number {
  return epoch * DAY_MS;
}

/** Returns the end of an epoch, Unix milliseconds, exclusive. */
export function epochEnd(epoch: number): number {
  return epochStart(epoch + 1);
}

/** Formats the epoch as a UTC day: `2026-11-21`. */
export function epochName(epoch: number): string {
  return new Date(epochStart(epoch)).toISOString().slice(0, 10);
}
