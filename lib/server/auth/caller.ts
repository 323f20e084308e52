import type { ApiKeyType } from '../db/schema';

/** Who pays, and out of which purse: an account's pots through a key, or its prepaid x402 pot by wallet sign-in. */
export interface Caller {
  accountId: number;
  apiKeyId: number | null;
  purse: Purse;
}

export type Purse = 'account' | 'x402';

/** A caller whose credential holds. */
export interface IdentifiedCaller extends Caller {
  /** Hash of the API key, to look at it once more when reserving. */
  keyHash: string | null;
  /** The wallet that signed in, in the form that `walletKey` gives; null for callers with a key. */
  wallet: string | null;
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
}

/** Where callers are looked up. */
export interface CallerDirectory {
  /**
   * The key with this hash, null if there is none. Current to a second at most; older where the caller will reserve,
   * which checks all of it again.
   */
  findKey(hash: string, options?: { willReserve: boolean }): Awaitable<KeyRecord | null>;
  /**
   * The account of a wallet, in the form that `walletKey` gives; null while it has none. As cheap and as current as a key.
   */
  findWallet(key: string, options?: { willReserve: boolean }): Awaitable<number | null>;
}

/** Of what is mostly there at once: an await costs a promise. */
export type Awaitable<T> = T | Promise<T>;
