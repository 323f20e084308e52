import { periodName } from '@/lib/protocol/api-keys/limit-period';
import type { LimitPeriod, Pot } from '../../db/schema';
import { epochAt } from './epoch';

/**
 * Whether what was charged to a pot comes back to it when its work failed. What was taken of a daily allocation comes
 * back while its day lasts: after that it would have expired, spent or not.
 */
export function isPaidBack(pot: Pot, chargedAt: number, now: number): boolean {
  return pot !== 'diem' || epochAt(now) === epochAt(chargedAt);
}

/** The period in which a key with a limit has spent so much less: that of the charge. */
export function periodPaidBack(period: LimitPeriod, chargedAt: number): string {
  return periodName(period, chargedAt);
}
