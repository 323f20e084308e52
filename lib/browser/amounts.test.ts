import { describe, expect, it } from 'vitest';
import { formatBalance, formatBytes, formatCost, formatCredits, formatDuration, formatHeldUsd, formatMostUsd, readQuantity } from './amounts';

describe('amounts have units and lose nothing', () => {
  it.each([['0.00001400', '$0.000014'], ['0.00000350', '$0.0000035'], ['1.5', '$1.50'], ['0', '$0.00'], ['12', '$12.00']])('%s dollars are %s', (cost, shown) => expect(formatCost(cost)).toBe(shown));
  it.each([[0.42, '0.4 ms'], [12.4, '12 ms'], [999.6, '1.00 s'], [1250, '1.25 s']])('%d milliseconds are %s', (ms, shown) => expect(formatDuration(ms)).toBe(shown));
  it.each([[0, '0 credits'], [1, '1 credit'], [12_000, '12,000 credits']])('%d are %s', (credits, shown) => expect(formatCredits(credits)).toBe(shown));
  it.each([[312, '312 B'], [4100, '4.1 kB'], [2_300_000, '2.3 MB']])('%d are %s', (bytes, shown) => expect(formatBytes(bytes)).toBe(shown));
});

describe('money for a person has cents and no more', () => {
  it.each([[0, '$0.00'], [9.99972, '$9.99'], [1250.509, '$1,250.50'], [0.009, 'under $0.01'], [0.29, '$0.29'], [1.1, '$1.10'], [1000, '$1,000.00']])('a balance of %d is %s', (usd, shown) => expect(formatBalance(usd)).toBe(shown));
  it.each([[0, '0.00 USD'], [10, '10.00 USD'], [1250.509, '1,250.50 USD'], [0.009, 'less than 0.01 USD'], [0.29, '0.29 USD'], [1.1, '1.10 USD']])('%d held are %s', (usd, shown) => expect(formatHeldUsd(usd)).toBe(shown));
  it.each([[0, '0.00 USD'], [0.000014, '0.01 USD'], [1e-9, '0.01 USD'], [0.29, '0.29 USD'], [1.501, '1.51 USD']])('%d at most are %s', (usd, shown) => expect(formatMostUsd(usd)).toBe(shown));
});

describe('a hexadecimal text is read as a number only where it is one', () => {
  it.each([['0x0', '0'], ['0x1b4', '436'], [`0x${'f'.repeat(32)}`, '340,282,366,920,938,463,463,374,607,431,768,211,455']])('%s', (text, shown) => expect(readQuantity(text)).toBe(shown));
  it.each(['0x', '0x01', '1b4', `0x${'a'.repeat(40)}`, `0x${'a'.repeat(64)}`, '0xAB', '0x1g'])('%s is none', (text) => expect(readQuantity(text)).toBeNull());
});
