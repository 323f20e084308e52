import { periodName } from '@/lib/protocol/api-keys/terms';
import type { LimitPeriod, Pot } from '../../db/schema';
import { epochAt } from './epoch';

/**
 * Returns whether a failed call's charge is refunded to a balance. A daily allocation is refunded only on its own day,
 * because it expires when that day ends.
 */
export function isPaidBack(pot: Pot, chargedAt: number, now: number): boolean {
  return pot !== 'diem' || epochAt(now) === epochAt(chargedAt);
}

/** Returns the period whose spending a refund reduces: the period of the charge. */
export function periodPaidBack(period: LimitPeriod, chargedAt: number): string {
  return periodName(period, chargedAt);
}
