'use client';

import { useSyncExternalStore } from 'react';

/** Why this browser does not keep something: no room, not allowed, or written by a newer version of the console. */
export type StorageTrouble = 'full' | 'blocked' | 'newer';

/** By what cannot be kept: a key of the storage, or the name of a database. */
const troubles = new Map<string, StorageTrouble>();
const listeners = new Set<() => void>();

/** Notes that something could not be kept, or, with null, that it is kept again. */
export function noteStorage(what: string, trouble: StorageTrouble | null): void {
  if ((troubles.get(what) ?? null) === trouble) return;
  if (trouble === null) troubles.delete(what);
  else troubles.set(what, trouble);
  listeners.forEach((listener) => listener());
}

/** What keeps this browser from keeping what is on the page; null while all is kept. The gravest is said. */
export function useStorageTrouble(): StorageTrouble | null {
  return useSyncExternalStore(subscribe, gravest, () => null);
}

/** What an error of a storage comes to. */
export function troubleOf(error: unknown): StorageTrouble {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError' || name === 'NS_ERROR_DOM_QUOTA_REACHED') return 'full';
  return name === 'VersionError' ? 'newer' : 'blocked';
}

function gravest(): StorageTrouble | null {
  const all = [...troubles.values()];
  return (['full', 'newer', 'blocked'] as const).find((trouble) => all.includes(trouble)) ?? null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
