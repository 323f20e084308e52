import type { Auth } from '../auth';
import { requireKeyHolder } from '../key-authority';
import type { Call } from '../../http/call';
import { askStore } from '../../db/ask-store';
import { findApiKey } from '../../db/api-keys';
import type { Database } from '../../db/schema';
import { findWalletAccount } from '../../db/wallets';

/** Wallet or ADMIN key that manages an account's keys. */
export interface KeyHolder {
  /** Null for a wallet without an account. */
  accountId: number | null;
  /** The ADMIN key that sent the request; null if the wallet itself signed in. */
  apiKeyId: number | null;
}

/**
 * Returns the account whose keys the caller may list and revoke. Reads an ADMIN key from the database, so that a key
 * that was just revoked cannot list or revoke others.
 *
 * @throws ApiError 401 without a valid credential, 403 for an INFERENCE key, 429 above the rate limit
 */
export async function keyHolderOf(
  call: Call,
  { auth, db, now }: { auth: Auth; db: Database; now: () => number },
): Promise<KeyHolder> {
  const { apiKeyId, wallet } = await auth.identifyReader(call);
  if (wallet !== null) return { accountId: await askStore(() => findWalletAccount(db, wallet)), apiKeyId: null };
  const key = apiKeyId === null ? null : await askStore(() => findApiKey(db, apiKeyId));
  requireKeyHolder(key, now());
  return { accountId: key.accountId, apiKeyId: key.id };
}
