'use client';

import { type Balance, readBalance } from '@/lib/client';
import { useEffect } from 'react';
import { useCredential } from '../credential';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';
import { useLastCharge } from './last-charge';

const REFRESH_EVERY_MS = 60_000;

/** What the credential in use has to spend; read again after each call. `balance` is null until it is known. */
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
  // By its value: the credential is a new object with every rendering, and each read would ask for the next.
  const presentedText = presented === null ? null : JSON.stringify(presented);
  useEffect(() => {
    if (chargedAtMs > 0 && presentedText !== null) void refetch();
  }, [chargedAtMs, presentedText, refetch]);
  const balance = presented === null ? null : (data ?? null);
  // The answer's own header is there first.
  const said =
    presented?.kind === 'signIn' && chargedAtMs > updatedAtMs ? Number(lastCharge?.balanceRemainingUsd ?? NaN) : NaN;
  const totalUsd = Number.isFinite(said) ? said : balance && spendableUsd(balance);
  return { balance, totalUsd, error, isKnown: balance !== null, retry: () => void refetch() };
}

/** What calls of this credential can spend: a wallet's prepaid balance, or the three pots of a key. */
export function spendableUsd({ x402Usd, balances: { diem, bundledCredits, usd } }: Balance): number {
  return x402Usd ?? diem + bundledCredits + usd;
}
