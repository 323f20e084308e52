'use client';

import { useSyncExternalStore } from 'react';
import { createListeners } from '@/lib/browser/storage/stored-value';

/** The page's last call that may have changed a balance. */
export interface LastCharge {
  atMs: number;
  /** The wallet's balance after the call, decimal USD; null if the response does not state the balance. */
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
