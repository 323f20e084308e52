import { describe, expect, it } from 'vitest';
import { formatToken, plainToken, readTypedAmount } from './allocation';

const BOUNDS = { decimals: 18, symbol: 'TPK', max: 5n * 10n ** 18n, maxIs: 'in the wallet' };

describe('a typed amount', () => {
  it('is read to the last place', () => {
    expect(readTypedAmount('1.000000000000000001', BOUNDS)).toEqual({ ok: true, amount: 10n ** 18n + 1n });
    expect(readTypedAmount(' .5 ', BOUNDS)).toEqual({ ok: true, amount: 5n * 10n ** 17n });
    expect(readTypedAmount('5.', BOUNDS)).toEqual({ ok: true, amount: BOUNDS.max });
  });

  it('is refused with a sentence where it is none, nothing, or too much', () => {
    for (const text of [
      '',
      '0',
      '0.0',
      '.',
      '-1',
      '1e3',
      '1,5',
      '0x1',
      '1.0000000000000000001',
      '5.000000000000000001',
      '9'.repeat(40),
    ]) {
      const typed = readTypedAmount(text, BOUNDS);
      expect(typed.ok, text).toBe(false);
    }
    expect(readTypedAmount('6', BOUNDS)).toEqual({ ok: false, sentence: 'Only 5 TPK in the wallet.' });
  });
});

describe('a shown amount', () => {
  it('is grouped, and never rounded up to more than there is', () => {
    expect(formatToken(1_234_567n * 10n ** 18n, 18)).toBe('1,234,567');
    expect(formatToken(1_999_999_999_999_999_999n, 18)).toBe('1.999999');
    expect(formatToken(0n, 18)).toBe('0');
  });

  it('is whole where it is to be typed again', () => {
    expect(plainToken(1_500_000n, 6)).toBe('1.5');
    expect(plainToken(7n, 0)).toBe('7');
    expect(plainToken(1n, 18)).toBe('0.000000000000000001');
    expect(plainToken(20n * 10n ** 18n, 18)).toBe('20');
  });

  it('shows that dust is not nothing', () => {
    expect(formatToken(1n, 18)).toBe('<0.000001');
  });
});
