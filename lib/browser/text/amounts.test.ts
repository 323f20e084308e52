import { describe, expect, it } from 'vitest';
import { formatBalance, formatCost, formatCount, formatCredits, formatDuration } from './amounts';

describe('amounts have units and lose nothing', () => {
  it.each([
    ['0.00001400', '$0.000014'],
    ['0.00000350', '$0.0000035'],
    ['1.5', '$1.50'],
    ['0', '$0.00'],
    ['12', '$12.00'],
  ])('%s dollars are %s', (cost, shown) => expect(formatCost(cost)).toBe(shown));
  it.each([
    [0.42, '0.4 ms'],
    [12.4, '12 ms'],
    [999.6, '1.00 s'],
    [1250, '1.25 s'],
  ])('%d milliseconds are %s', (ms, shown) => expect(formatDuration(ms)).toBe(shown));
  it.each([0, 7, 999, 1_000, 12_000, 1_234_567, -1_000, 0.25, 1234.5, 10n ** 20n])(
    '%d has its thousands apart as the platform writes them',
    (count) => expect(formatCount(count)).toBe(count.toLocaleString('en-US')),
  );
  it.each([
    [0, '0 credits'],
    [1, '1 credit'],
    [12_000, '12,000 credits'],
  ])('%d are %s', (credits, shown) => expect(formatCredits(credits)).toBe(shown));
});

describe('a balance is truncated at four places, and never shown a cent short for a call', () => {
  it.each([
    [0, '$0.00'],
    [9.99972, '$9.9997'],
    [9.999986, '$9.9999'],
    [999.999986, '$999.9999'],
    [9.9999996, '$9.9999'],
    [9.9997, '$9.9997'],
    [1250.509, '$1,250.509'],
    [0.009, '$0.009'],
    [0.00009, 'under $0.0001'],
    [0.29, '$0.29'],
    [1.1, '$1.10'],
    [1000, '$1,000.00'],
    [-1, '$0.00'],
  ])('a balance of %d is %s', (usd, shown) => expect(formatBalance(usd)).toBe(shown));
});
