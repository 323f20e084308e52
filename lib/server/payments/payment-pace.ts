import type { Payment } from '../db/payments';

const LOOK_MS = 500;
/** Age up to which a payment is looked up often. A payment on Solana is valid for only a minute or two. */
const YOUNG_MS = 180_000;
const LOOK_YOUNG_MS_MAX = 8_000;
const LOOK_MS_MAX = 60_000;
/** Age from which a payment is looked up rarely, because its caller no longer waits. */
const OLD_AFTER_MS = 1_800_000;
const LOOK_OLD_MS = 600_000;

export function lookAgainAfterMs(
  { looks, created_at: createdAt }: Pick<Payment, 'looks' | 'created_at'>,
  now: number,
): number {
  const ageMs = now - createdAt;
  if (ageMs > OLD_AFTER_MS) return LOOK_OLD_MS;
  return Math.min(LOOK_MS * 2 ** Math.min(looks, 10), ageMs < YOUNG_MS ? LOOK_YOUNG_MS_MAX : LOOK_MS_MAX);
}

/** Delay between the first two submissions of an unexecuted payment. The delay doubles each time. */
const RESUBMIT_MS = 1_000;
const RESUBMIT_MS_MAX = 15_000;
/** Number of submissions after which the interval is a minute, and later half an hour. */
const FREQUENT_ATTEMPTS = 12;
const RESUBMIT_LATER_MS = 60_000;
const REGULAR_ATTEMPTS = 20;
const RESUBMIT_OLD_MS = 1_800_000;

/**
 * Returns the minimum time until the next submission. Submissions never stop, because a long outage would use up any
 * maximum number.
 */
export function resubmitAfterMs(attempts: number): number {
  if (attempts < FREQUENT_ATTEMPTS) return Math.min(RESUBMIT_MS * 2 ** Math.max(0, attempts - 1), RESUBMIT_MS_MAX);
  return attempts < REGULAR_ATTEMPTS ? RESUBMIT_LATER_MS : RESUBMIT_OLD_MS;
}
