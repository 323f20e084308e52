'use client';

import { useLastCharge } from '@/components/billing/last-charge';
import { useCredential } from '@/lib/browser/credential/credential';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useRead } from '@/lib/browser/reads/use-read';
import { type Balance, readBalance } from '@/lib/client';
import { useEffect } from 'react';

const REFRESH_EVERY_MS = 60_000;

/** Returns the balance of the credential in use, read again after each call; null until known. */
export function useBalance(): {
  balance: Balance | null;
  totalUsd: number | null;
  error: Error | null;
  isKnown: boolean;
  retry: () => void;
} {
  const { presented } = useCredential();
  const lastCharge = useLastCharge();
  const { data, error, updatedAtMs, refetch } = useRead({
    key: ['balance', presented],
    enabled: presented !== null,
    read: (signal) => readBalance(gatewayOptions(presented), { signal }),
    keepsPrevious: true,
    staleMs: 5_000,
    everyMs: REFRESH_EVERY_MS,
  });
  const chargedAtMs = lastCharge?.atMs ?? 0;
  // Compares by value, because every rendering creates a new credential object.
  const presentedText = presented === null ? null : JSON.stringify(presented);
  useEffect(() => {
    if (chargedAtMs > 0 && presentedText !== null) void refetch();
  }, [chargedAtMs, presentedText, refetch]);
  const balance = presented === null ? null : (data ?? null);
  // If a call by wallet sign-in is newer than the last read, uses the balance in that call's response header.
  const said =
    presented?.kind === 'signIn' && chargedAtMs > updatedAtMs ? Number(lastCharge?.balanceRemainingUsd ?? NaN) : NaN;
  const totalUsd = Number.isFinite(said) ? said : balance && spendableUsd(balance);
  return { balance, totalUsd, error, isKnown: balance !== null, retry: () => void refetch() };
}

/**
 * Returns the amount that a credential can spend: a wallet's prepaid balance, or the sum of a key's balances and
 * prepaid allowance.
 */
export function spendableUsd({
  x402Usd,
  consumptionCurrency,
  balances: { diem, bundledCredits, usd },
}: Pick<Balance, 'x402Usd' | 'consumptionCurrency' | 'balances'>): number {
  // A sign-in always spends prepaid money. An API key spends prepaid money only after its other balances.
  if (consumptionCurrency === 'X402') return x402Usd ?? 0;
  return diem + bundledCredits + usd + (x402Usd ?? 0);
}
