import type { KeyScope } from '@/lib/protocol/api-keys/key-scope';
import type { ApiKeyType } from '../db/schema';

export interface Caller {
  accountId: number;
  apiKeyId: number | null;
  purse: Purse;
}

/**
 * Balances that a caller may spend: `account` with a key, `x402` (the prepaid balance) with a sign-in, `all` with a key
 * that may also spend the prepaid balance.
 */
export const PURSES = ['account', 'x402', 'all'] as const;
export type Purse = (typeof PURSES)[number];

export interface IdentifiedCaller extends Caller {
  /** Hash of the API key. A reservation uses the hash to check the key again. */
  keyHash: string | null;
  /** Signed-in wallet, as `walletKey` formats it; null for an API key. */
  wallet: string | null;
  allow: KeyScope | null;
}

export interface WalletCaller extends IdentifiedCaller {
  wallet: string;
}

/** Account id of wallets that have no account. The database never contains this id. */
export const NO_ACCOUNT = 0;

/** Fields of a key that authentication needs. Times are Unix milliseconds. */
export interface KeyRecord {
  id: number;
  accountId: number;
  type: ApiKeyType;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Limit on the key's spending of the wallet's prepaid balance, in nano-USD per period; null if not allowed. */
  readonly limitPrepaid: number | null;
  allow: KeyScope | null;
}

export interface CallerDirectory {
  /**
   * Returns the key with this hash; null if none. The key may come from a cache if a reservation will check it again.
   */
  findKey(hash: string, options?: { willReserve: boolean }): Awaitable<KeyRecord | null>;
  /** Returns the account of the wallet whose `walletKey` is `key`; null if none. The answer may be a minute old. */
  findWallet(key: string, options?: { willReserve: boolean }): Awaitable<number | null>;
}

/** Value or promise. Functions return a plain value where they can, because a promise costs time. */
export type Awaitable<T> = T | Promise<T>;
