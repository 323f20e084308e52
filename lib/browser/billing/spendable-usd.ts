import type { Balance } from '@/lib/client';

/**
 * Returns the amount that a credential can spend: a wallet's prepaid balance, or the sum of a key's balances and
 * prepaid allowance.
 */
export function spendableUsd({
  x402Usd,
  consumptionCurrency,
  balances: { diem, bundledCredits, usd },
}: Pick<Balance, 'x402Usd' | 'consumptionCurrency' | 'balances'>): number {
  // A sign-in always spends prepaid money. A key spends it only after its other balances.
  if (consumptionCurrency === 'X402') return x402Usd ?? 0;
  return diem + bundledCredits + usd + (x402Usd ?? 0);
}
