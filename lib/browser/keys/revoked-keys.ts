'use client';

import { useSyncExternalStore } from 'react';

const NONE: ReadonlySet<string> = new Set();

let revoked = NONE;
const listeners = new Set<() => void>();

/** Returns the ids of keys that this page has revoked and must not offer any more. */
export function useRevokedKeys(): ReadonlySet<string> {
  return useSyncExternalStore(
    subscribe,
    () => revoked,
    () => NONE,
  );
}

export function noteRevoked(id: string): void {
  revoked = new Set([...revoked, id]);
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
