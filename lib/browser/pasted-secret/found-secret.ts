'use client';

import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners';

/** Warning that the user tried to enter a secret into a field. Does not contain the secret. */
export interface FoundSecret {
  words: string;
  /** Inserts the text into the field despite the warning; null if the text certainly is a secret. */
  putIn: (() => void) | null;
}

let found: FoundSecret | null = null;
const listeners = createListeners();

export function noteSecret(next: FoundSecret): void {
  change(next);
}

/** Returns the last warning; null if there is none or the user has dismissed it. */
export function useFoundSecret(): FoundSecret | null {
  return useSyncExternalStore(
    listeners.subscribe,
    () => found,
    () => null,
  );
}

export function dismissSecret(): void {
  change(null);
}

/** Inserts the text after the user has said that it is no secret. */
export function putSecretIn(): void {
  const putIn = found?.putIn;
  change(null);
  putIn?.();
}

function change(next: FoundSecret | null): void {
  found = next;
  listeners.tell();
}
