import { describe, expect, it } from 'vitest';
import { costBounds } from './cost-bounds';

const MILLION = 1_000_000;

describe('what sold units cost the operator', () => {
  it('is exact for one kind of unit, whatever was charged', () => {
    const costs = { per: MILLION, kinds: [{ price: 0, cost: 3_000 }] };
    expect(costBounds(costs, { charges: 2, units: 500_000, chargedNanoUsd: 77 })).toEqual({
      least: 1_500,
      most: 1_500,
    });
  });

  it('is exact for two prices: the income tells how many units had which', () => {
    const costs = {
      per: MILLION,
      kinds: [
        { price: 150_000_000, cost: 100_000_000 },
        { price: 600_000_000, cost: 500_000_000 },
      ],
    };
    // 3,000 input and 1,000 output tokens.
    const chargedNanoUsd = 3_000 * 150 + 1_000 * 600;
    const exact = 3_000 * 100 + 1_000 * 500;
    expect(costBounds(costs, { charges: 1, units: 4_000, chargedNanoUsd })).toEqual({ least: exact, most: exact });
    expect(costBounds(costs, { charges: 1, units: 4_000, chargedNanoUsd: 4_000 * 150 })).toEqual({
      least: 400_000,
      most: 400_000,
    });
    // Rounded up by less than one nano-USD a call.
    expect(costBounds(costs, { charges: 9, units: 4_000, chargedNanoUsd: 4_000 * 600 + 8 })).toEqual({
      least: 2_000_000,
      most: 2_000_000,
    });
  });

  it('lies between bounds that hold every mixture for three prices, or for equal prices with unequal costs', () => {
    const three = {
      per: 1,
      kinds: [
        { price: 10, cost: 4 },
        { price: 20, cost: 5 },
        { price: 40, cost: 30 },
      ],
    };
    // 20 is the cost of 2 calls of the second kind, or of 2 of the first and 1 of the third among 3 calls.
    expect(costBounds(three, { charges: 3, units: 3, chargedNanoUsd: 60 })).toEqual({ least: 15, most: 38 });
    const equal = {
      per: 1,
      kinds: [
        { price: 10, cost: 1 },
        { price: 10, cost: 7 },
      ],
    };
    expect(costBounds(equal, { charges: 1, units: 10, chargedNanoUsd: 100 })).toEqual({ least: 10, most: 70 });
  });

  it.each([
    ['below every price', 1],
    ['above every price', 9_999],
  ])('may be that of any kind if the income is %s, as after a change of prices', (_what, chargedNanoUsd) => {
    const costs = {
      per: 1,
      kinds: [
        { price: 10, cost: 2 },
        { price: 20, cost: 8 },
      ],
    };
    expect(costBounds(costs, { charges: 1, units: 100, chargedNanoUsd })).toEqual({ least: 200, most: 800 });
  });

  it('is nothing for no units', () => {
    expect(costBounds({ per: 1, kinds: [{ price: 1, cost: 1 }] }, { charges: 1, units: 0, chargedNanoUsd: 0 })).toEqual(
      {
        least: 0,
        most: 0,
      },
    );
  });
});
