import { describe, expect, it } from 'vitest';
import { expectedCost } from './composer';

const PRICE = { inputNanoUsdPerMillion: 100_000_000, outputNanoUsdPerMillion: 400_000_000 };

describe('what a question is going to cost is said before it is sent', () => {
  it('is that of an answer of 500 words where next to nothing is sent', () =>
    expect(expectedCost([], 0, PRICE)).toBe('$0.00027'));

  it('grows with all that is sent along: what was said before, the question, its files', () => {
    const before = [
      { role: 'user', content: 'x'.repeat(40_000) } as const,
      { role: 'assistant', content: 'y'.repeat(40_000) } as const,
    ];
    expect(expectedCost(before, 0, PRICE)).toBe('$0.0023');
    expect(expectedCost(before, 400_000, PRICE)).toBe('$0.012');
  });

  it('counts the pictures of the question and of the earlier ones, by their pixels', () => {
    const picture = { id: 'a', name: 'a.png', width: 1_568, height: 1_568, bytes: 1 };
    expect(expectedCost([], 0, PRICE, null, [picture])).toBe('$0.00058');
    expect(expectedCost([{ role: 'user', content: '', pictures: [picture] }], 0, PRICE)).toBe('$0.00058');
  });

  it('is less where the answer is bounded, and no more where the bound is above', () => {
    expect(expectedCost([], 0, PRICE, 50)).toBe('$0.00002');
    expect(expectedCost([], 0, PRICE, 9_000)).toBe('$0.00027');
  });

  it.each([
    [{ inputNanoUsdPerMillion: 0, outputNanoUsdPerMillion: 0 }, '$0.00'],
    [{ inputNanoUsdPerMillion: 1, outputNanoUsdPerMillion: 1 }, '$0.00'],
    [{ inputNanoUsdPerMillion: 1e12, outputNanoUsdPerMillion: 1e12 }, '$0.67'],
  ])('is an amount at any price: %o', (price, shown) => expect(expectedCost([], 0, price)).toBe(shown));
});
