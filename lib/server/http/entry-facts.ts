import { AsyncLocalStorage } from 'node:async_hooks';

/** What Next's server keeps from its route handlers. */
export interface EntryFacts {
  /** Address of the peer: Next passes on only what X-Forwarded-For says, which is the client's word. */
  peer: string;
  /** The path as it came, where Next would redirect it or fail on it, and without what Next decodes. */
  path: string;
  /** The query as it came, with its question mark. */
  query: string;
  /** The verb as it came, also one that no route handler can have. */
  method: string;
  /** What the client can read, kept from Next, which would compress by itself; null where it says nothing. */
  acceptEncoding: string | null;
  /** Says of the answer how it is encoded: Next leaves that header out of what route handlers answer. */
  encodedAs(coding: string): void;
  /** Ends the connection at once: its reader takes nothing. */
  disconnect(): void;
}

/** Next's bundles have modules of their own: the one storage of the process lives here, out of reach of any request. */
const SLOT = Symbol.for('turnpike.entry-facts');
type Slot = { [SLOT]?: AsyncLocalStorage<EntryFacts> };
const storage = ((globalThis as Slot)[SLOT] ??= new AsyncLocalStorage<EntryFacts>());

/** Serves a request; whatever comes of it knows these facts. They travel beside the request, and in none of its headers, which are the client's. */
export function withEntryFacts<Result>(facts: EntryFacts, serve: () => Result): Result {
  return storage.run(facts, serve);
}

/** Those of the request that is being served; undefined where it came to Next by no entry of ours. */
export function entryFacts(): EntryFacts | undefined {
  return storage.getStore();
}
