/** Maximum pairs of resource and detail that get a numeric id. Postgres has the same bound. */
export const NAMES_MAX = 10_000;

/**
 * Returns whether a resource's details get numeric ids. Only details that recur get one: RPC methods, but not token
 * counts.
 */
export function areNumbered(resource: string): boolean {
  return resource.startsWith('rpc/');
}

const REQUEST_ID = /^[0-9a-f]{32}$/;

/** Returns a request id as SQLite stores it: 16 bytes for 32 hex characters, otherwise the text. */
export function storedRequestId(id: string): Uint8Array | string {
  return REQUEST_ID.test(id) ? Buffer.from(id, 'hex') : id;
}
