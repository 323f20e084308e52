import { describe, expect, it } from 'vitest';
import { spendableUsd } from './use-balance';

const balances = { diem: 33, bundledCredits: 0, usd: 2 };

describe('what is shown as balance is what calls can spend', () => {
  it('of a wallet that signed in: what it prepaid, and nothing of its account', () => {
    expect(spendableUsd({ balances, consumptionCurrency: 'X402', x402Usd: 5 })).toBe(5);
    expect(spendableUsd({ balances, consumptionCurrency: 'X402', x402Usd: 0 })).toBe(0);
  });
  it('of a key: its account', () => {
    expect(spendableUsd({ balances, consumptionCurrency: 'DIEM' })).toBe(35);
  });
  it('of a key that may spend prepaid money: both', () => {
    expect(spendableUsd({ balances, consumptionCurrency: 'DIEM', x402Usd: 0 })).toBe(35);
    expect(spendableUsd({ balances, consumptionCurrency: 'DIEM', x402Usd: 5 })).toBe(40);
    const none = { diem: 0, bundledCredits: 0, usd: 0 };
    expect(spendableUsd({ balances: none, consumptionCurrency: 'X402', x402Usd: 5 })).toBe(5);
  });
});
