import { describe, expect, it } from 'vitest';
import { speechCostNanoUsd } from './speech-request';

describe('what characters cost', () => {
  it('is exact, and rounded up to a whole nano-USD', () => {
    expect(speechCostNanoUsd(0, 3_500_000_000)).toBe(0);
    expect(speechCostNanoUsd(1_000_000, 3_500_000_000)).toBe(3_500_000_000);
    expect(speechCostNanoUsd(4_096, 3_500_000_000)).toBe(14_336_000);
    expect(speechCostNanoUsd(1, 1)).toBe(1);
    expect(speechCostNanoUsd(3, 333_333)).toBe(1);
  });

  it('is never inexact', () => {
    expect(() => speechCostNanoUsd(Number.MAX_SAFE_INTEGER, 10_000_000)).toThrow(RangeError);
  });
});
