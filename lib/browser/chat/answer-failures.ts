'use client';

import { useSyncExternalStore } from 'react';

/** Why turns have no whole answer, as the errors themselves: they say what to do. Kept while the page is open. */
const failures = new Map<string, Error>();
const listeners = new Set<() => void>();

export function noteFailure(turnId: string, error: Error | null): void {
  if (error === null) failures.delete(turnId);
  else failures.set(turnId, error);
  listeners.forEach((listener) => listener());
}

export function useFailure(turnId: string): Error | null {
  return useSyncExternalStore(subscribe, () => failures.get(turnId) ?? null, () => null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
