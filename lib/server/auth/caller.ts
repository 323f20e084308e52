import type { KeyScope } from '@/lib/protocol/api-keys/key-scope';
import type { ApiKeyType } from '../db/schema';

export interface Caller {
  accountId: number;
  apiKeyId: number | null;
  purse: Purse;
}

/**
 * Balances that a caller may spend: `account` with a key, or `x402` (prepaid) with a sign-in. A key whose owner allows
 * it may spend `all`.
 */
export const PURSES = ['account', 'x402', 'all'] as const;
export type Purse = (typeof PURSES)[number];

export interface IdentifiedCaller extends Caller {
  /** Hash of the API key. Reserving uses it to check the key again. */
  keyHash: string | null;
  /** Signed-in wallet in the form of `walletKey`; null with a key. */
  wallet: string | null;
  allow: KeyScope | null;
}

export interface WalletCaller extends IdentifiedCaller {
  wallet: string;
}

/** Account id of a wallet without an account. The database never uses it. */
export const NO_ACCOUNT = 0;

/** Fields of a key that authentication needs. Times are Unix milliseconds. */
export interface KeyRecord {
  id: number;
  accountId: number;
  type: ApiKeyType;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Limit for the wallet's prepaid balance, in nano-USD per period; null if the key cannot spend it. */
  readonly limitPrepaid: number | null;
  allow: KeyScope | null;
}

export interface CallerDirectory {
  /**
   * Returns the key with this hash; null if none. A cached key suffices before reserving, which checks the key again.
   */
  findKey(hash: string, options?: { willReserve: boolean }): Awaitable<KeyRecord | null>;
  /** Returns the account of a wallet in the form of `walletKey`; null if none. May be a minute old. */
  findWallet(key: string, options?: { willReserve: boolean }): Awaitable<number | null>;
}

/** Usually synchronous, because `await` on a plain value costs a promise. */
export type Awaitable<T> = T | Promise<T>;
