import type { Auth } from '../auth';
import { requireKeyHolder } from '../key-authority';
import type { Call } from '../../http/call';
import { askStore } from '../../db/ask-store';
import { findApiKey } from '../../db/api-keys';
import type { Database } from '../../db/schema';
import { findWalletAccount } from '../../db/wallets';

/** Who manages the keys of an account. */
export interface KeyHolder {
  /** Null for a wallet that has no account yet. */
  accountId: number | null;
  /** The ADMIN key that asks; null where the wallet itself signed in. */
  apiKeyId: number | null;
}

/**
 * Whose keys a caller may list and revoke: those of an ADMIN key's account, or of the wallet that signs in. The key is
 * read anew, so that one that was revoked a moment ago, at whichever gateway, lists nothing.
 * @throws ApiError 401 without a credential that holds, 403 for an INFERENCE key, 429 beyond the caller's cap.
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
