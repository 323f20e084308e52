import type { Payment } from '../db/payments';

const LOOK_MS = 500;
/** On Solana a payment lives for a minute or two: until then it is looked for more often. */
const YOUNG_MS = 180_000;
const LOOK_YOUNG_MS_MAX = 8_000;
const LOOK_MS_MAX = 60_000;
/** From here on a payment is an old one, which nobody waits for. */
const OLD_AFTER_MS = 1_800_000;
const LOOK_OLD_MS = 600_000;

/** When an open payment is looked for again by itself. By its age, so that whoever presents it often does not make it an old one. */
export function lookAgainAfterMs(
  { looks, created_at: createdAt }: Pick<Payment, 'looks' | 'created_at'>,
  now: number,
): number {
  const ageMs = now - createdAt;
  if (ageMs > OLD_AFTER_MS) return LOOK_OLD_MS;
  return Math.min(LOOK_MS * 2 ** Math.min(looks, 10), ageMs < YOUNG_MS ? LOOK_YOUNG_MS_MAX : LOOK_MS_MAX);
}

/** Between two submissions of a payment that the chain has not executed: twice as long each time, to begin with. */
const RESUBMIT_MS = 1_000;
const RESUBMIT_MS_MAX = 15_000;
/** So many find whoever was away for a short while; then a minute lies between two, and in the end half an hour. */
const FREQUENT_ATTEMPTS = 12;
const RESUBMIT_LATER_MS = 60_000;
const REGULAR_ATTEMPTS = 20;
const RESUBMIT_OLD_MS = 1_800_000;

/** What must lie between the last submission and another. By time, and without an end: an outage must not use up what a payment has. */
export function resubmitAfterMs(attempts: number): number {
  if (attempts < FREQUENT_ATTEMPTS) return Math.min(RESUBMIT_MS * 2 ** Math.max(0, attempts - 1), RESUBMIT_MS_MAX);
  return attempts < REGULAR_ATTEMPTS ? RESUBMIT_LATER_MS : RESUBMIT_OLD_MS;
}
