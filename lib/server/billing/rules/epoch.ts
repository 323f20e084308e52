const DAY_MS = 86_400_000;

/** The epoch at a time: days of UTC since 1970. The daily allocation is new with each (spec, "Authentication"). */
export function epochAt(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** When an epoch ends and the next begins, Unix milliseconds. */
export function epochEnd(epoch: number): number {
  return (epoch + 1) * DAY_MS;
}

/** Its day, as `2026-11-21`. */
export function epochName(epoch: number): string {
  return new Date(epoch * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Whether a daily pot of this epoch may be spent. One of the next epoch may too: a clock that stepped back over
 * midnight does not take away what was fixed a moment before.
 */
export function isCurrentEpoch(epoch: number, now: number): boolean {
  const age = epochAt(now) - epoch;
  return age === 0 || age === -1;
}
