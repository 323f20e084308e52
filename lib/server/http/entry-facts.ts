import { AsyncLocalStorage } from 'node:async_hooks';

/** Facts about a request that Next's server hides from its route handlers. */
export interface EntryFacts {
  /** Peer's address. Next passes only X-Forwarded-For, which the client controls. */
  peer: string;
  /** Path as received. Next would redirect, decode or reject some paths. */
  path: string;
  /** Query as received, with its question mark. */
  query: string;
  /** Verb as received, even if Next does not support it. */
  method: string;
  /** Accept-Encoding, hidden from Next, which would compress the answer. */
  acceptEncoding: string | null;
  /** Sets Content-Encoding, which Next drops from answers of route handlers. */
  encodedAs(coding: string): void;
  /** Closes the connection at once, because the client accepts no bytes. */
  disconnect(): void;
}

/** Global symbol, because each of Next's bundles has its own modules. */
const SLOT = Symbol.for('turnpike.entry-facts');
type Slot = { [SLOT]?: AsyncLocalStorage<EntryFacts> };
const storage = ((globalThis as Slot)[SLOT] ??= new AsyncLocalStorage<EntryFacts>());

/**
 * Serves a request with these facts in the async context. Passing the facts in headers would be unsafe, because any
 * client could set them.
 */
export function withEntryFacts<Result>(facts: EntryFacts, serve: () => Result): Result {
  return storage.run(facts, serve);
}

/** Returns the facts of the served request; undefined if the request bypassed the gateway's entries. */
export function entryFacts(): EntryFacts | undefined {
  return storage.getStore();
}
