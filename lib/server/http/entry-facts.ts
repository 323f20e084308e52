import { AsyncLocalStorage } from 'node:async_hooks';

/** Facts about a request that Next's server hides from its route handlers. */
export interface EntryFacts {
  /** Peer's address. Next passes only X-Forwarded-For, and the client controls that header. */
  peer: string;
  /** Path as received. Next redirects, decodes or rejects some paths. */
  path: string;
  query: string;
  /** Method as received. Next does not support all methods. */
  method: string;
  /** Accept-Encoding. It is hidden from Next, because Next would compress the answer. */
  acceptEncoding: string | null;
  /** Sets Content-Encoding, because Next drops that header from answers of route handlers. */
  encodedAs(coding: string): void;
  /** Closes the connection immediately, because the client reads nothing. */
  disconnect(): void;
}

/** A global symbol, because each of Next's bundles has its own copy of this module. */
const SLOT = Symbol.for('turnpike.entry-facts');
type Slot = { [SLOT]?: AsyncLocalStorage<EntryFacts> };
const storage = ((globalThis as Slot)[SLOT] ??= new AsyncLocalStorage<EntryFacts>());

/**
 * Serves a request, and makes these facts available in its async context. Passing the facts in headers would be unsafe,
 * because any client could set them.
 */
export function withEntryFacts<Result>(facts: EntryFacts, serve: () => Result): Result {
  return storage.run(facts, serve);
}

/** Returns the facts that `withEntryFacts` has set; undefined if it did not serve the request. */
export function entryFacts(): EntryFacts | undefined {
  return storage.getStore();
}
