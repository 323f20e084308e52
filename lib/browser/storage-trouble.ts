'use client';

import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners';

/** Reason why this browser does not store a value: storage is full, blocked, or written by a newer console version. */
export type StorageTrouble = 'full' | 'blocked' | 'newer';

const troubles = new Map<string, StorageTrouble>();
const listeners = createListeners();

/** Records why a value could not be stored. Null records that storing works again. */
export function noteStorage(what: string, trouble: StorageTrouble | null): void {
  if ((troubles.get(what) ?? null) === trouble) return;
  if (trouble === null) troubles.delete(what);
  else troubles.set(what, trouble);
  listeners.tell();
}

/** Returns the most serious reason why this browser cannot store the page's data; null if it can. */
export function useStorageTrouble(): StorageTrouble | null {
  return useSyncExternalStore(listeners.subscribe, gravest, () => null);
}

export function troubleOf(error: unknown): StorageTrouble {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError' || name === 'NS_ERROR_DOM_QUOTA_REACHED') return 'full';
  return name === 'VersionError' ? 'newer' : 'blocked';
}

function gravest(): StorageTrouble | null {
  const all = [...troubles.values()];
  return (['full', 'newer', 'blocked'] as const).find((trouble) => all.includes(trouble)) ?? null;
}
