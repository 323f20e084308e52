'use client';

import { useSyncExternalStore } from 'react';

/** The last call that this page was answered: when, and what the wallet held after it, where the answer said so. */
export interface LastCharge {
  atMs: number;
  /** Decimal text of USD; null under an API key. */
  balanceRemainingUsd: string | null;
}

let last: LastCharge | null = null;
const listeners = new Set<() => void>();

/** Tells those who show a balance that it has changed. */
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
