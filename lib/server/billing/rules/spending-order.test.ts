import { describe, expect, it } from 'vitest';
import { NO_AMOUNTS, plus, type PotAmounts, SPENDING_ORDER, spread, sumOf } from './spending-order';

const POTS: PotAmounts = [10, 20, 30, 40];

describe('the spending order (spec, "Authentication")', () => {
  it('is daily allocation, bundled credits, USD for keys, what was prepaid for sign-ins, and that last for keys that may spend it', () => {
    expect(SPENDING_ORDER).toEqual({
      account: ['diem', 'bundled', 'usd'],
      x402: ['x402'],
      all: ['diem', 'bundled', 'usd', 'x402'],
    });
  });

  it.each([
    [0, [0, 0, 0, 0]],
    [10, [10, 0, 0, 0]],
    [11, [10, 1, 0, 0]],
    [30, [10, 20, 0, 0]],
    [60, [10, 20, 30, 0]],
    [61, null],
  ])('spreads %i over the pots of a key as %j', (amount, parts) => {
    expect(spread(amount, 'account', POTS)).toEqual(parts);
  });

  it('spreads what a sign-in spends over its own pot alone', () => {
    expect([spread(40, 'x402', POTS), spread(41, 'x402', POTS)]).toEqual([[0, 0, 0, 40], null]);
  });

  it('counts no pot of the other purse', () => {
    expect([sumOf('account', POTS), sumOf('x402', POTS)]).toEqual([60, 40]);
  });
});

it('amounts are values: what they are added to stays as it is', () => {
  expect([plus(POTS, [1, 2, 3, 4]), plus(POTS, POTS, -1), POTS]).toEqual([
    [11, 22, 33, 44],
    NO_AMOUNTS,
    [10, 20, 30, 40],
  ]);
});
