'use client';

import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners';

const NONE: ReadonlySet<string> = new Set();

let revoked = NONE;
const listeners = createListeners();

/** Returns the ids of keys that this page has revoked and must not offer any more. */
export function useRevokedKeys(): ReadonlySet<string> {
  return useSyncExternalStore(
    listeners.subscribe,
    () => revoked,
    () => NONE,
  );
}

export function noteRevoked(id: string): void {
  revoked = new Set([...revoked, id]);
  listeners.tell();
}
