'use client';

import { createStoredValue, useStoredValue } from '../../stored-value';
import { readRequest } from './collection-file';
import { type Collections, putBack, type Removed, type RequestCollection, takeOut, tidyName } from './collections';

const COLLECTIONS_MAX = 200;

const store = createStoredValue<Collections>({ key: 'turnpike.rpc-collections', initial: [], parse: parseCollections });
// From the first use on, what other tabs save is known here, so that none writes over it.
if (typeof window !== 'undefined') store.subscribe(() => undefined);

/** The saved requests of this browser, by collection; the same in all tabs. */
export function useCollections(): Collections {
  return useStoredValue(store);
}

/** Changes them. @returns whether the change is kept: where the storage is full or blocked, all stays as it was */
export function changeCollections(change: (collections: Collections) => Collections): boolean {
  const before = store.get();
  if (store.set(change(before))) return true;
  store.set(before);
  return false;
}

/** Takes a request or a collection out. @returns what `restore` brings back; null where it was not there */
export function remove(id: string): Removed | null {
  const taken = takeOut(store.get(), id);
  if (taken !== null) store.set(taken.collections);
  return taken?.removed ?? null;
}

/** Brings back what was removed. */
export function restore(removed: Removed): boolean {
  return changeCollections((collections) => putBack(collections, removed));
}

/** Keeps what is whole; an older or a foreign shape must not break the page. */
export function parseCollections(stored: unknown): Collections | null {
  if (!Array.isArray(stored)) return null;
  return stored.slice(0, COLLECTIONS_MAX).flatMap((value) => readCollection(value) ?? []);
}

function readCollection(value: unknown): RequestCollection | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, requests } = value as Record<string, unknown>;
  if (typeof id !== 'string' || typeof name !== 'string' || tidyName(name) === '' || !Array.isArray(requests))
    return null;
  return { id, name: tidyName(name), requests: requests.flatMap((request) => readRequest(request) ?? []) };
}
