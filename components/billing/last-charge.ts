'use client';

import { useSyncExternalStore } from 'react';
import { createListeners } from '@/lib/browser/storage/stored-value';

/**
 * Last successful call of this page. `balanceRemainingUsd` is the wallet's balance after the call, if the response
 * states it.
 */
export interface LastCharge {
  atMs: number;
  /** Decimal USD; null if an API key paid. */
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
