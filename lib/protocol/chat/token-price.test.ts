import { describe, expect, it } from 'vitest';
import { affordableTokens, tokenCostNanoUsd } from './token-price';

const price = { inputNanoUsdPerMillion: 150_000_000, outputNanoUsdPerMillion: 600_000_000 };

describe('tokens cost exactly what their price says', () => {
  it('to the nano-USD, rounded up', () => {
    expect(tokenCostNanoUsd({ promptTokens: 1_000_000, completionTokens: 0 }, price)).toBe(150_000_000);
    expect(tokenCostNanoUsd({ promptTokens: 1, completionTokens: 1 }, price)).toBe(750);
    expect(tokenCostNanoUsd({ promptTokens: 1, completionTokens: 0 }, { ...price, inputNanoUsdPerMillion: 1 })).toBe(1);
    expect(tokenCostNanoUsd({ promptTokens: 0, completionTokens: 0 }, price)).toBe(0);
  });

  it('beyond what is exact there is none', () => {
    expect(() =>
      tokenCostNanoUsd(
        { promptTokens: Number.MAX_SAFE_INTEGER, completionTokens: 0 },
        { ...price, inputNanoUsdPerMillion: 10_000_000 },
      ),
    ).toThrow(RangeError);
  });

  it('what can be afforded never costs more than there is', () => {
    for (const nanoUsd of [0, 1, 749, 750, 1_350, 123_456_789]) {
      for (const promptTokens of [0, 1, 999]) {
        const completionTokens = affordableTokens(nanoUsd, promptTokens, price);
        if (completionTokens > 0)
          expect(tokenCostNanoUsd({ promptTokens, completionTokens }, price)).toBeLessThanOrEqual(nanoUsd);
        expect(tokenCostNanoUsd({ promptTokens, completionTokens: completionTokens + 1 }, price)).toBeGreaterThan(
          nanoUsd,
        );
      }
    }
  });
});
