import { describe, expect, it } from 'vitest';
import { fixAllocation } from './allocation';
import { epochAt, epochStart } from './epoch';
import {
  chargedTo,
  clampToHold,
  EMPTY_POTS,
  type Hold,
  planHold,
  type Pots,
  purseTotal,
  spendable,
  takenOfCarried,
  withCharge,
  withCredit,
  withHold,
  withoutCharge,
  withoutHold,
} from './pots';

const NOON = Date.UTC(2026, 10, 20, 12);
const EPOCH = epochAt(NOON);
const MIDNIGHT = epochStart(EPOCH + 1);
const POTS: Pots = { ...EMPTY_POTS, balances: [10, 20, 30, 40], diemEpoch: EPOCH };

function held(pots: Pots, maxNanoUsd: number, now = NOON): { pots: Pots; hold: Hold } {
  const hold = planHold(pots, 'account', maxNanoUsd, now);
  if (!hold) throw new Error('There is too little.');
  return { pots: withHold(pots, hold), hold };
}

describe('a hold', () => {
  it('is the most that a call can cost, of what others do not hold, and changes no balance', () => {
    const first = held(POTS, 15);
    expect(first.hold.amounts).toEqual([10, 5, 0, 0]);
    expect([spendable(first.pots, 'account', NOON), purseTotal(first.pots, 'account', NOON)]).toEqual([45, 60]);
    expect(held(first.pots, 45).hold.amounts).toEqual([0, 15, 30, 0]);
    expect(planHold(first.pots, 'account', 46, NOON)).toBeNull();
  });

  it('is freed whole', () => {
    const { pots, hold } = held(POTS, 60);
    expect(withoutHold(pots, hold)).toEqual(POTS);
  });

  it('of one purse leaves the other alone', () => {
    const { pots } = held(POTS, 60);
    expect(spendable(pots, 'x402', NOON)).toBe(40);
  });
});

describe('a charge', () => {
  it('is taken of what was held, first pots first, so that the later ones are freed', () => {
    const { pots, hold } = held(POTS, 60);
    const charged = chargedTo(hold, 25);
    expect(charged).toEqual([10, 15, 0, 0]);
    const after = withCharge(withoutHold(pots, hold), hold, charged);
    expect([after.balances, spendable(after, 'account', NOON)]).toEqual([[0, 5, 30, 40], 35]);
  });

  it('is no more than was held: refused, or cut where it was only noted', () => {
    const { hold } = held(POTS, 15);
    expect(() => chargedTo(hold, 16)).toThrow('exceed');
    expect([clampToHold(hold, 16), clampToHold(hold, 14)]).toEqual([15, 14]);
  });

  it('that cannot be written is given back', () => {
    const { hold } = held(POTS, 45);
    const charged = chargedTo(hold, 33);
    expect(withoutCharge(withCharge(POTS, hold, charged), hold, charged)).toEqual(POTS);
  });
});

describe('the daily pot', () => {
  it('may be spent until 00:00 UTC, whether or not a new one is fixed', () => {
    expect([spendable(POTS, 'account', MIDNIGHT - 1), spendable(POTS, 'account', MIDNIGHT)]).toEqual([60, 50]);
    expect(held(POTS, 15, MIDNIGHT).hold.amounts).toEqual([0, 15, 0, 0]);
  });

  it('may be spent by a clock that stepped back over the midnight before', () => {
    const { pots } = fixAllocation(POTS, 100, MIDNIGHT);
    expect([
      spendable(pots, 'account', MIDNIGHT - 1),
      spendable(pots, 'account', epochStart(EPOCH)),
      spendable(pots, 'account', epochStart(EPOCH) - 1),
    ]).toEqual([150, 150, 50]);
  });

  it("is charged to whoever held of it before midnight, and what they free of it is nobody else's", () => {
    const over = held(POTS, 10);
    const { pots } = fixAllocation(over.pots, 100, MIDNIGHT);
    expect([pots.balances[0], spendable(pots, 'account', MIDNIGHT)]).toEqual([110, 150]);
    const charged = chargedTo(over.hold, 4);
    expect(takenOfCarried(pots, over.hold, charged)).toBe(4);
    const after = withCharge(withoutHold(pots, over.hold), over.hold, charged);
    expect(after).toEqual({
      balances: [106, 20, 30, 40],
      held: [0, 0, 0, 0],
      diemEpoch: EPOCH + 1,
      diemCarried: 6,
      heldCarried: 0,
    });
    expect(spendable(after, 'account', MIDNIGHT)).toBe(150);
    expect(withoutCharge(after, over.hold, charged).diemCarried).toBe(10);
  });
});

it('money put in can be spent at once', () => {
  expect(spendable(withCredit(POTS, [0, 5, 0, 1]), 'account', NOON)).toBe(65);
});
