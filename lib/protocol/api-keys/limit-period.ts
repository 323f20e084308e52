import { DAY_MS, epochAt, epochName, epochStart } from '../allocation/epoch';
import type { LimitPeriod } from './terms';

/**
 * The period of a key's limit that a time falls in, by the name under which what was spent in it is counted: a day as
 * `2026-11-20` (EPOCH), a month as `2026-11` (MONTH), or `all` (LIFETIME). Days and months are of UTC.
 *
 * @param atMs Unix milliseconds
 */
export function periodName(period: LimitPeriod, atMs: number): string {
  switch (period) {
    case 'EPOCH':
      return epochName(epochAt(atMs));
    case 'MONTH':
      return epochName(epochAt(atMs)).slice(0, 'YYYY-MM'.length);
    case 'LIFETIME':
      return 'all';
  }
}

/** When that period began, Unix milliseconds; 0 for a lifetime. */
export function periodStart(period: LimitPeriod, atMs: number): number {
  switch (period) {
    case 'EPOCH':
      return epochStart(epochAt(atMs));
    case 'MONTH':
      return epochStart(epochAt(atMs)) - (new Date(atMs).getUTCDate() - 1) * DAY_MS;
    case 'LIFETIME':
      return 0;
  }
}
