import { describe, expect, it } from 'vitest';
import { readUsdAmount } from './usd-amount';
import { formatUnits } from '@/lib/browser/wallet/pay-rails';

const BOUNDS = { decimals: 6, minimumUnits: 5_000_000n };

describe('an amount to pay', () => {
  it('is read to the last unit', () => {
    expect(readUsdAmount('5', BOUNDS)).toEqual({ ok: true, units: 5_000_000n, usd: '5' });
    expect(readUsdAmount(' $12.50 ', BOUNDS)).toEqual({ ok: true, units: 12_500_000n, usd: '12.50' });
    expect(readUsdAmount('5.000001', BOUNDS)).toEqual({ ok: true, units: 5_000_001n, usd: '5.000001' });
    expect(readUsdAmount('007.', BOUNDS)).toEqual({ ok: true, units: 7_000_000n, usd: '7' });
    expect(readUsdAmount('1000000', BOUNDS)).toMatchObject({ ok: true, units: 10n ** 12n });
  });

  it('is refused under the minimum by a unit, and where it is no amount', () => {
    expect(readUsdAmount('4.999999', BOUNDS)).toEqual({ ok: false, sentence: 'The minimum is 5.00 USDC.' });
    for (const text of [
      '',
      '0',
      '-5',
      '5,00',
      '1e3',
      '0x10',
      '5.0000001',
      '1000000.01',
      'ten',
      '٥',
      '9'.repeat(30),
      '5 6',
    ])
      expect(readUsdAmount(text, BOUNDS).ok, text).toBe(false);
  });
});

describe('an amount that is shown', () => {
  it('has cents, groups and every unit', () => {
    expect(formatUnits(12_500_000n, 6)).toBe('12.50');
    expect(formatUnits(1n, 6)).toBe('0.000001');
    expect(formatUnits(1_234_567_000_000n, 6)).toBe('1,234,567.00');
    expect(formatUnits(0n, 6)).toBe('0.00');
    expect(formatUnits(123n, 0)).toBe('123.00');
  });
});
