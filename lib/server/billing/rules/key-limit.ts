import type { LimitPeriod } from '../../db/schema';
import type { Refusal } from '../meter';
import type { PotAmounts } from './spending-order';

/**
 * A key's own limits, in nano-USD a period. `usd` is on bundled credits, USD and x402, `diem` on the daily allocation (wire,
 * "Shapes"); null for no limit. `prepaid` is on x402 alone, beside the one on `usd`; null for none of that pot.
 */
export interface KeyLimits {
  readonly limitPeriod: LimitPeriod;
  readonly limitUsd: number | null;
  readonly limitDiem: number | null;
  readonly limitPrepaid: number | null;
}

/** Nano-USD as a key's limits count it. */
export interface KeySpend {
  readonly usd: number;
  readonly diem: number;
  readonly prepaid: number;
}

export const NO_SPEND: KeySpend = { usd: 0, diem: 0, prepaid: 0 };

/** What a charge or a hold counts toward a key's limits. */
export function keySpendOf([diem, bundled, usd, x402]: PotAmounts): KeySpend {
  return { usd: bundled + usd + x402, diem, prepaid: x402 };
}

/** Whether a key has a limit at all: only then is what it spends counted by period. */
export function hasLimits({ limitUsd, limitDiem, limitPrepaid }: KeyLimits): boolean {
  return limitUsd !== null || limitDiem !== null || limitPrepaid !== null;
}

/**
 * Why a key's own limit does not allow a hold, or null. What counts is what the key was charged in the period that runs,
 * by the time of the charge, and what its running calls hold, whenever they began. A limit refuses the call, and does not
 * send it on to the next pot, which the key's owner did not offer.
 *
 * @param used spent in the period that runs, and held
 * @param amounts that the call would hold
 */
export function keyLimitRefusal(
  { limitPeriod: period, limitUsd, limitDiem, limitPrepaid }: KeyLimits,
  used: KeySpend,
  amounts: PotAmounts,
): Refusal | null {
  const { usd, diem, prepaid } = keySpendOf(amounts);
  if (limitDiem !== null && diem > 0 && used.diem + diem > limitDiem)
    return { reason: 'key-limit', currency: 'diem', period };
  if (limitUsd !== null && usd > 0 && used.usd + usd > limitUsd)
    return { reason: 'key-limit', currency: 'usd', period };
  if (prepaid > 0 && used.prepaid + prepaid > (limitPrepaid ?? 0))
    return { reason: 'key-limit', currency: 'prepaid', period };
  return null;
}
