'use client';

import { useSyncExternalStore } from 'react';

/** Last answered call of this page, with the wallet balance after it if the answer states one. */
export interface LastCharge {
  atMs: number;
  /** Decimal text of USD; null for calls with an API key. */
  balanceRemainingUsd: string | null;
}

let last: LastCharge | null = null;
const listeners = new Set<() => void>();

export function noteCharge(balanceRemainingUsd: string | null): void {
  last = { atMs: Date.now(), balanceRemainingUsd };
  listeners.forEach((listener) => listener());
}

export function useLastCharge(): LastCharge | null {
  return useSyncExternalStore(
    subscribe,
    () => last,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
