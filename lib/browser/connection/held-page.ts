'use client';

import { useSyncExternalStore } from 'react';
import { connectionNow, onRecovered } from './connection';

/** Pages shown since the load. The browser can open these pages again without the gateway. */
const seen = new Set<string>();
let held: string | null = null;
const listeners = new Set<() => void>();

export function noteSeenPage(path: string): void {
  seen.add(path);
}

/**
 * Returns true if a page cannot open now: the gateway does not answer, and the browser has not opened the page before.
 * Stores the result for `useHeldPage`.
 */
export function isHeldBack(path: string): boolean {
  const { state } = connectionNow();
  const isAway = state === 'offline' || state === 'unanswered';
  hold(isAway && !seen.has(path) ? path : null);
  return held !== null;
}

/** Returns the path of the last requested page that could not open; null for none. */
export function useHeldPage(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => held,
    () => null,
  );
}

function hold(path: string | null): void {
  held = path;
  listeners.forEach((listener) => listener());
}

let stopListening: (() => void) | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  stopListening ??= onRecovered(() => hold(null));
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stopListening?.();
    stopListening = null;
  };
}
