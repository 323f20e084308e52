'use client';

import { useSyncExternalStore } from 'react';

/** A secret that somebody was about to put into a field. The secret itself is not in here. */
export interface FoundSecret {
  /** What it looks like, as `a private key`. */
  words: string;
  /** Puts the text in after all, where it may be none; null where there is no doubt. */
  putIn: (() => void) | null;
}

let found: FoundSecret | null = null;
const listeners = new Set<() => void>();

export function noteSecret(next: FoundSecret): void {
  change(next);
}

/** The one found last; null where there is none, or it was read. */
export function useFoundSecret(): FoundSecret | null {
  return useSyncExternalStore(
    subscribe,
    () => found,
    () => null,
  );
}

export function dismissSecret(): void {
  change(null);
}

/** The person says that it is no secret. */
export function putSecretIn(): void {
  const putIn = found?.putIn;
  change(null);
  putIn?.();
}

function change(next: FoundSecret | null): void {
  found = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
