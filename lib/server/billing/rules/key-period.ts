import type { LimitPeriod } from '../../db/schema';

/** The period of a key's limit that runs at `now`, as it is named in the store: epochs are days of UTC. */
export function periodAt(period: LimitPeriod, now: number): string {
  if (period === 'LIFETIME') return 'all';
  return new Date(now).toISOString().slice(0, period === 'MONTH' ? 7 : 10);
}
