import { epochAt } from '@/lib/protocol/allocation/epoch';

export { epochAt, epochEnd, epochName, epochStart } from '@/lib/protocol/allocation/epoch';

/**
 * Whether a daily pot of this epoch may be spent at a time, Unix milliseconds. One of the next epoch may too: a clock
 * that stepped back over midnight does not take away what was fixed a moment before.
 */
export function isCurrentEpoch(epoch: number, now: number): boolean {
  const age = epochAt(now) - epoch;
  return age === 0 || age === -1;
}
