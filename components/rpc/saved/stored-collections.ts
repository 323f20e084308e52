'use client';

import { newId } from '@/lib/browser/page/new-id';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';
import {
  type Collections,
  NAME_CHARACTERS_MAX,
  putBack,
  type Removed,
  REQUEST_CHARACTERS_MAX,
  type RequestCollection,
  type SavedRequest,
  takeOut,
  tidyName,
} from './collections';

const COLLECTIONS_MAX = 200;

const store = createStoredValue<Collections>({ key: 'turnpike.rpc-collections', initial: [], parse: parseCollections });
// Follows the changes of other tabs. Otherwise this tab would overwrite them.
if (typeof window !== 'undefined') store.subscribe(() => undefined);

export function useCollections(): Collections {
  return useStoredValue(store);
}

/** Changes the collections. @returns false if nothing changed, because storage is full or blocked */
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

const KIND = 'turnpike-rpc-collection';
const VERSION = 1;
export const FILE_BYTES_MAX = 4_000_000;
const REQUESTS_MAX = 1_000;

export type FileFault = 'too-large' | 'not-json' | 'other-file' | 'newer' | 'empty';

/** Formats a collection as a file, without ids, credentials and answers. */
export function writeCollectionFile({ name, requests }: RequestCollection): string {
  return `${JSON.stringify({ kind: KIND, version: VERSION, name, requests: requests.map(({ name: each, network, text }) => ({ name: each, network, text })) }, null, 2)}\n`;
}

/** Returns the file name: the letters and digits of the collection's name. */
export function collectionFileName(name: string): string {
  return `${
    name
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .toLowerCase() || 'collection'
  }.rpc.json`;
}

/**
 * Parses an untrusted collection file. Leaves out invalid requests and sends nothing.
 * @returns the collection, or what is wrong with the file
 */
export function readCollectionFile(text: string): Omit<RequestCollection, 'id'> | FileFault {
  if (text.length > FILE_BYTES_MAX) return 'too-large';
  const file = parse(text);
  if (file === undefined) return 'not-json';
  if (typeof file !== 'object' || file === null) return 'other-file';
  const { kind, version, name, requests } = file as Record<string, unknown>;
  if (kind !== KIND || typeof version !== 'number' || !Array.isArray(requests)) return 'other-file';
  if (version > VERSION) return 'newer';
  const read = requests
    .slice(0, REQUESTS_MAX)
    .flatMap((request) => readRequest(request) ?? [])
    .map((request) => ({ ...request, id: newId() }));
  return read.length === 0
    ? 'empty'
    : { name: (typeof name === 'string' && tidyName(name)) || 'Imported', requests: read };
}

function readRequest(value: unknown): SavedRequest | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, network, text } = value as Record<string, unknown>;
  if (typeof name !== 'string' || typeof network !== 'string' || typeof text !== 'string') return null;
  if (network.length > NAME_CHARACTERS_MAX || text.length > REQUEST_CHARACTERS_MAX || tidyName(name) === '')
    return null;
  return { id: typeof id === 'string' && id !== '' ? id : newId(), name: tidyName(name), network, text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
  } catch {
    return undefined;
  }
}
