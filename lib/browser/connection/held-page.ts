'use client';

import { useSyncExternalStore } from 'react';
import { connectionNow, onRecovered } from './connection';

/** Pages that were shown since this page was loaded: they can be gone back to without the gateway. */
const seen = new Set<string>();
let held: string | null = null;
const listeners = new Set<() => void>();

export function noteSeenPage(path: string): void {
  seen.add(path);
}

/**
 * Whether a page has to wait: nothing answers, and it was never opened, so that going there would make the browser
 * leave the console for an error page of its own. What is held back is said.
 */
export function isHeldBack(path: string): boolean {
  const { state } = connectionNow();
  const isAway = state === 'offline' || state === 'unanswered';
  hold(isAway && !seen.has(path) ? path : null);
  return held !== null;
}

/** The path that was asked for last and has to wait; null for none. */
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
