import { newId } from '@/lib/browser/page/new-id';

export interface SavedRequest {
  id: string;
  name: string;
  network: string;
  text: string;
}

export interface RequestCollection {
  id: string;
  name: string;
  requests: readonly SavedRequest[];
}

export type Collections = readonly RequestCollection[];

export type Removed =
  | { kind: 'request'; collection: Pick<RequestCollection, 'id' | 'name'>; at: number; request: SavedRequest }
  | { kind: 'collection'; at: number; collection: RequestCollection };

export const NAME_CHARACTERS_MAX = 80;
/** Maximum length of a stored request. A browser stores about 5 MB in all. */
export const REQUEST_CHARACTERS_MAX = 400_000;

/** Normalizes a name: trims it, collapses whitespace, removes invisible characters, and limits its length. */
export function tidyName(name: string): string {
  const tidy = name
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\u200d' ? character : ''))
    .trim();
  return Array.from(tidy).slice(0, NAME_CHARACTERS_MAX).join('').trim();
}

/** Appends a request to the named collection. Creates the collection if missing. */
export function withRequest(
  collections: Collections,
  collectionName: string,
  request: Omit<SavedRequest, 'id'>,
): Collections {
  const saved = { ...request, id: newId() };
  const home = collections.find(({ name }) => isSameName(name, collectionName));
  if (home === undefined) return [...collections, { id: newId(), name: collectionName, requests: [saved] }];
  return change(collections, home.id, (requests) => [...requests, saved]);
}

export function withEdited(
  collections: Collections,
  id: string,
  edit: (request: SavedRequest) => SavedRequest,
): Collections {
  return collections.map((collection) =>
    has(collection, id)
      ? { ...collection, requests: collection.requests.map((request) => (request.id === id ? edit(request) : request)) }
      : collection,
  );
}

/** Moves a request to the end of another collection. Changes nothing if request or collection is missing. */
export function withMoved(collections: Collections, id: string, collectionId: string): Collections {
  const found = find(collections, id);
  if (found === null || !collections.some((collection) => collection.id === collectionId)) return collections;
  return change(without(collections, id), collectionId, (requests) => [...requests, found.request]);
}

export function withCollectionNamed(collections: Collections, id: string, name: string): Collections {
  return collections.map((collection) => (collection.id === id ? { ...collection, name } : collection));
}

/** Adds a collection under a free name: `Mine`, `Mine (2)`. */
export function withCollection(
  collections: Collections,
  { name, requests }: Omit<RequestCollection, 'id'>,
): Collections {
  return [...collections, { id: newId(), name: freeName(collections, name), requests }];
}

/** Removes a request or a collection. @returns null if it does not exist */
export function takeOut(collections: Collections, id: string): { collections: Collections; removed: Removed } | null {
  const at = collections.findIndex((collection) => collection.id === id);
  const whole = collections[at];
  if (whole !== undefined)
    return {
      collections: collections.filter((collection) => collection.id !== id),
      removed: { kind: 'collection', at, collection: whole },
    };
  const found = find(collections, id);
  if (found === null) return null;
  const { collection, request, at: place } = found;
  return {
    collections: without(collections, id),
    removed: { kind: 'request', collection: { id: collection.id, name: collection.name }, at: place, request },
  };
}

/** Restores a removed item at its position. Also restores a request's missing collection. */
export function putBack(collections: Collections, removed: Removed): Collections {
  if (removed.kind === 'collection')
    return collections.some(({ id }) => id === removed.collection.id)
      ? collections
      : collections.toSpliced(removed.at, 0, removed.collection);
  if (find(collections, removed.request.id) !== null) return collections;
  const isHome = collections.some(({ id }) => id === removed.collection.id);
  return change(
    isHome ? collections : [...collections, { ...removed.collection, requests: [] }],
    removed.collection.id,
    (requests) => requests.toSpliced(removed.at, 0, removed.request),
  );
}

/** Filters collections. Keeps a request if every word occurs in its name, network, text or collection name. */
export function searchCollections(collections: Collections, search: string): Collections {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return collections;
  const matches = (...texts: string[]) =>
    words.every((word) => texts.some((text) => text.toLowerCase().includes(word)));
  return collections
    .map((collection) => ({
      ...collection,
      requests: collection.requests.filter(({ name, network, text }) => matches(name, network, text, collection.name)),
    }))
    .filter(({ name, requests }) => requests.length > 0 || matches(name));
}

export function isSameName(one: string, other: string): boolean {
  return tidyName(one).toLowerCase() === tidyName(other).toLowerCase();
}

function freeName(collections: Collections, name: string): string {
  const isTaken = (candidate: string) => collections.some((collection) => isSameName(collection.name, candidate));
  let candidate = name;
  for (let count = 2; isTaken(candidate); count++)
    candidate = `${Array.from(name)
      .slice(0, NAME_CHARACTERS_MAX - 6)
      .join('')} (${count})`;
  return candidate;
}

function change(
  collections: Collections,
  id: string,
  edit: (requests: readonly SavedRequest[]) => readonly SavedRequest[],
): Collections {
  return collections.map((collection) =>
    collection.id === id ? { ...collection, requests: edit(collection.requests) } : collection,
  );
}

function without(collections: Collections, id: string): Collections {
  return collections.map((collection) =>
    has(collection, id)
      ? { ...collection, requests: collection.requests.filter((request) => request.id !== id) }
      : collection,
  );
}

function has(collection: RequestCollection, id: string): boolean {
  return collection.requests.some((request) => request.id === id);
}

function find(
  collections: Collections,
  id: string,
): { collection: RequestCollection; request: SavedRequest; at: number } | null {
  for (const collection of collections) {
    const at = collection.requests.findIndex((request) => request.id === id);
    const request = collection.requests[at];
    if (request !== undefined) return { collection, request, at };
  }
  return null;
}
