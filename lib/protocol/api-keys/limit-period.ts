import { DAY_MS, epochAt, epochName, epochStart } from '../allocation/epoch';
import type { LimitPeriod } from './terms';

/**
 * Name of the limit period at a time, in UTC: a day as `2026-11-20`, a month as `2026-11`, or `all` for a lifetime.
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

/** Start of the limit period at a time, Unix milliseconds; 0 for a lifetime. */
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
