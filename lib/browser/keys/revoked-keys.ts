'use client';

import { useSyncExternalStore } from 'react';

const NONE: ReadonlySet<string> = new Set();

let revoked = NONE;
const listeners = new Set<() => void>();

/** The ids of the keys that were revoked on this page: nothing is to offer them any more. */
export function useRevokedKeys(): ReadonlySet<string> {
  return useSyncExternalStore(
    subscribe,
    () => revoked,
    () => NONE,
  );
}

/** Notes that a key was revoked. */
export function noteRevoked(id: string): void {
  revoked = new Set([...revoked, id]);
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
