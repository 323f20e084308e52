import { epochAt } from '@/lib/protocol/allocation/epoch';

export { epochAt, epochEnd, epochName, epochStart } from '@/lib/protocol/allocation/epoch';

/**
 * Returns whether a daily balance of `epoch` may be spent at `now` (Unix milliseconds). Also true for the next epoch's
 * balance, because a clock may step back over midnight.
 */
export function isCurrentEpoch(epoch: number, now: number): boolean {
  const age = epochAt(now) - epoch;
  return age === 0 || age === -1;
}
