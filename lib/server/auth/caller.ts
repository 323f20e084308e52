import type { KeyScope } from '@/lib/protocol/api-keys/key-scope';
import type { ApiKeyType } from '../db/schema';

/** Who pays, and out of which purse. */
export interface Caller {
  accountId: number;
  apiKeyId: number | null;
  purse: Purse;
}

/**
 * The pots that a caller may spend: an account's through a key, its prepaid one by wallet sign-in, or all of them through a
 * key that the wallet's owner lets spend it.
 */
export const PURSES = ['account', 'x402', 'all'] as const;
export type Purse = (typeof PURSES)[number];

/** A caller whose credential holds. */
export interface IdentifiedCaller extends Caller {
  /** Hash of the API key, to look at it once more when reserving. */
  keyHash: string | null;
  /** The wallet that signed in, in the form that `walletKey` gives; null for callers with a key. */
  wallet: string | null;
  /** What the key may be used for; null for everything. */
  allow: KeyScope | null;
}

/** A caller who signed in with a wallet. */
export interface WalletCaller extends IdentifiedCaller {
  wallet: string;
}

/** In place of the account of a wallet that has none: no row has this number, so nothing is there and nothing is paid. */
export const NO_ACCOUNT = 0;

/** What authentication needs of a key. Times are Unix milliseconds. */
export interface KeyRecord {
  id: number;
  accountId: number;
  type: ApiKeyType;
  expiresAt: number | null;
  revokedAt: number | null;
  /** What it may spend of what its wallet prepaid, nano-USD a period; null for none of it. */
  readonly limitPrepaid: number | null;
  /** What it may be used for; null for everything. */
  allow: KeyScope | null;
}

/** Where callers are looked up. */
export interface CallerDirectory {
  /**
   * The key with this hash, null if there is none. Read anew, but where the caller will reserve, which checks all of it
   * again.
   */
  findKey(hash: string, options?: { willReserve: boolean }): Awaitable<KeyRecord | null>;
  /**
   * The account of a wallet, in the form that `walletKey` gives; null while it has none. As cheap and as current as a key.
   */
  findWallet(key: string, options?: { willReserve: boolean }): Awaitable<number | null>;
}

/** Of what is mostly there at once: an await costs a promise. */
export type Awaitable<T> = T | Promise<T>;
