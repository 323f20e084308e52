import { describe, expect, it } from 'vitest';
import { fixAllocation, isAllocationDue } from './allocation';
import { epochAt, epochStart } from './epoch';
import { EMPTY_POTS, type Pots, withHold } from './pots';

const NOON = Date.UTC(2026, 10, 20, 12);
const EPOCH = epochAt(NOON);
const MIDNIGHT = epochStart(EPOCH + 1);
const POTS: Pots = { ...EMPTY_POTS, balances: [70, 1, 2, 3], diemEpoch: EPOCH };

describe('an allocation', () => {
  it('is due at 00:00 UTC, and not again in its epoch', () => {
    expect([isAllocationDue(POTS, MIDNIGHT - 1), isAllocationDue(POTS, MIDNIGHT)]).toEqual([false, true]);
    expect(isAllocationDue(fixAllocation(POTS, 40, MIDNIGHT).pots, MIDNIGHT)).toBe(false);
  });

  it('puts an end to what is left of the one before, in the same books', () => {
    const { pots, entries } = fixAllocation(POTS, 40, MIDNIGHT);
    expect(pots.balances).toEqual([40, 1, 2, 3]);
    expect(entries).toEqual([
      { kind: 'EXPIRY', amount: -70, balanceAfter: 0, epoch: EPOCH },
      { kind: 'ALLOCATION', amount: 40, balanceAfter: 40, epoch: EPOCH + 1 },
    ]);
  });

  it('finds nothing to end where all was spent', () => {
    expect(fixAllocation(EMPTY_POTS, 40, MIDNIGHT).entries.map(({ kind }) => kind)).toEqual(['ALLOCATION']);
  });

  it('leaves calls that run what they hold, over any number of midnights, and ends what they freed', () => {
    const running = withHold(POTS, { purse: 'account', amounts: [60, 0, 0, 0], diemEpoch: EPOCH });
    const next = fixAllocation(running, 100, MIDNIGHT);
    expect(next.entries).toEqual([
      { kind: 'EXPIRY', amount: -10, balanceAfter: 60, epoch: EPOCH },
      { kind: 'ALLOCATION', amount: 100, balanceAfter: 160, epoch: EPOCH + 1 },
    ]);
    expect(next.pots).toEqual({
      balances: [160, 1, 2, 3],
      held: [0, 0, 0, 0],
      diemEpoch: EPOCH + 1,
      diemCarried: 60,
      heldCarried: 60,
    });
    const freed = { ...next.pots, heldCarried: 0 };
    expect(fixAllocation(freed, 5, MIDNIGHT + 86_400_000).entries[0]).toMatchObject({
      kind: 'EXPIRY',
      amount: -160,
      balanceAfter: 0,
    });
  });
});
