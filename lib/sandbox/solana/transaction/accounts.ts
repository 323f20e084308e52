import type { Account } from '../accounts/account';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, addressBytes } from '../programs';
import type { Message } from './transaction';

/** Size of a lookup table's header, in bytes. */
export const LOOKUP_TABLE_META_BYTES = 56;

/** Addresses of a message, in index order. */
export interface MessageAccounts {
  all: readonly Uint8Array[];
  /** Addresses from lookup tables. */
  loaded: { writable: readonly Uint8Array[]; readonly: readonly Uint8Array[] };
}

/**
 * Resolves a message's addresses: static addresses, then writable and read-only addresses from all lookup tables. If a
 * table or an entry is missing, returns only the static addresses. Such a transaction fails.
 */
export function accountsOf(
  { staticAddresses, lookups }: Message,
  read: (address: Uint8Array) => Account | null,
): MessageAccounts {
  const writable: Uint8Array[] = [];
  const readonly: Uint8Array[] = [];
  for (const lookup of lookups) {
    const account = read(lookup.table);
    const isTable = account !== null && Buffer.compare(account.owner, addressBytes(ADDRESS_LOOKUP_TABLE_PROGRAM)) === 0;
    const entry = (index: number) =>
      account?.data.subarray(LOOKUP_TABLE_META_BYTES + 32 * index, LOOKUP_TABLE_META_BYTES + 32 * (index + 1));
    const taken = [...lookup.writable, ...lookup.readonly].map(entry);
    if (!isTable || taken.some((address) => address?.length !== 32))
      return { all: staticAddresses, loaded: { writable: [], readonly: [] } };
    const addresses = taken as Uint8Array[];
    writable.push(...addresses.slice(0, lookup.writable.length));
    readonly.push(...addresses.slice(lookup.writable.length));
  }
  return { all: [...staticAddresses, ...writable, ...readonly], loaded: { writable, readonly } };
}
