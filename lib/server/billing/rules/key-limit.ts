import type { LimitPeriod } from '../../db/schema';
import type { Refusal } from '../meter';
import type { PotAmounts } from './spending-order';

/**
 * A key's own limits, in nano-USD per period; null if none. `limitDiem` applies to the daily allocation, `limitUsd` to
 * all other balances together, and `limitPrepaid` additionally to the prepaid balance alone (null forbids it).
 */
export interface KeyLimits {
  readonly limitPeriod: LimitPeriod;
  readonly limitUsd: number | null;
  readonly limitDiem: number | null;
  readonly limitPrepaid: number | null;
}

export interface KeySpend {
  readonly usd: number;
  readonly diem: number;
  readonly prepaid: number;
}

export const NO_SPEND: KeySpend = { usd: 0, diem: 0, prepaid: 0 };

/** Returns how much a charge or hold counts toward each limit of a key. */
export function keySpendOf([diem, bundled, usd, x402]: PotAmounts): KeySpend {
  return { usd: bundled + usd + x402, diem, prepaid: x402 };
}

/** Returns whether a key has a limit. If so, its spending is counted by period. */
export function hasLimits({ limitUsd, limitDiem, limitPrepaid }: KeyLimits): boolean {
  return limitUsd !== null || limitDiem !== null || limitPrepaid !== null;
}

/**
 * Returns why a key's own limit forbids a hold, or null.
 * @param used spending in the current period, plus running holds
 * @param amounts amounts that the call would hold, by balance
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
