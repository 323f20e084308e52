import { describe, expect, it } from 'vitest';
import { formatHeldUsd, formatMostUsd } from './failure-words';

describe('what somebody has is told in cents, and a price with all of its digits', () => {
  it.each([
    [0, '0.00 USD'],
    [10, '10.00 USD'],
    [1250.509, '1,250.50 USD'],
    [0.009, 'less than 0.01 USD'],
    [0.29, '0.29 USD'],
    [1.1, '1.10 USD'],
  ])('%d held are %s', (usd, shown) => expect(formatHeldUsd(usd)).toBe(shown));
  it.each([
    [0, '0.00 USD'],
    [0.000014, '0.000014 USD'],
    [0.0006825, '0.0006825 USD'],
    [0.29, '0.29 USD'],
    [1_250.5, '1,250.50 USD'],
  ])('%d at most are %s', (usd, shown) => expect(formatMostUsd(usd)).toBe(shown));
});
