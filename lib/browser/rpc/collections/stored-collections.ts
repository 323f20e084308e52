'use client';

import { createStoredValue, useStoredValue } from '../../stored-value';
import { readRequest } from './collection-file';
import { type Collections, putBack, type Removed, type RequestCollection, takeOut, tidyName } from './collections';

const COLLECTIONS_MAX = 200;

const store = createStoredValue<Collections>({ key: 'turnpike.rpc-collections', initial: [], parse: parseCollections });
// Subscribes at load, because without the changes of other tabs this tab would overwrite them.
if (typeof window !== 'undefined') store.subscribe(() => undefined);

export function useCollections(): Collections {
  return useStoredValue(store);
}

/** Changes the collections. @returns false if storage is full or blocked; the collections are then unchanged */
export function changeCollections(change: (collections: Collections) => Collections): boolean {
  const before = store.get();
  if (store.set(change(before))) return true;
  store.set(before);
  return false;
}

/** Removes a request or a collection. @returns input for `restore`; null if it does not exist */
export function remove(id: string): Removed | null {
  const taken = takeOut(store.get(), id);
  if (taken !== null) store.set(taken.collections);
  return taken?.removed ?? null;
}

export function restore(removed: Removed): boolean {
  return changeCollections((collections) => putBack(collections, removed));
}

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
