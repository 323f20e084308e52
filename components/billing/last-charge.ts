'use client';

import { useSyncExternalStore } from 'react';
import { createListeners } from '@/lib/browser/storage/stored-value';

/** Last answered call of this page, with the wallet balance after it if the answer states one. */
export interface LastCharge {
  atMs: number;
  /** Decimal USD; null for calls with an API key. */
  balanceRemainingUsd: string | null;
}

let last: LastCharge | null = null;
const listeners = createListeners();

export function noteCharge(balanceRemainingUsd: string | null): void {
  last = { atMs: Date.now(), balanceRemainingUsd };
  listeners.tell();
}

export function useLastCharge(): LastCharge | null {
  return useSyncExternalStore(
    listeners.subscribe,
    () => last,
    () => null,
  );
}
