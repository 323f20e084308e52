'use client';

import { type Balance, readBalance } from '@/lib/client';
import { useEffect } from 'react';
import { useCredential } from '../credential';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';
import { useLastCharge } from './last-charge';
import { spendableUsd } from './spendable-usd';

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
  // Compared by value, because every rendering creates a new credential object.
  const presentedText = presented === null ? null : JSON.stringify(presented);
  useEffect(() => {
    if (chargedAtMs > 0 && presentedText !== null) void refetch();
  }, [chargedAtMs, presentedText, refetch]);
  const balance = presented === null ? null : (data ?? null);
  // If a call followed the last read, its header has the newer balance.
  const said =
    presented?.kind === 'signIn' && chargedAtMs > updatedAtMs ? Number(lastCharge?.balanceRemainingUsd ?? NaN) : NaN;
  const totalUsd = Number.isFinite(said) ? said : balance && spendableUsd(balance);
  return { balance, totalUsd, error, isKnown: balance !== null, retry: () => void refetch() };
}
