import { apiError } from '@/lib/protocol/errors';
import type { Auth } from '../auth';
import type { Call } from '../../http/call';
import { askStore } from '../../db/ask-store';
import { findApiKey } from '../../db/api-keys';
import type { Database } from '../../db/schema';
import { findWalletAccount } from '../../db/wallets';

/**
 * Whose keys a caller may list and revoke: those of an ADMIN key's account, or of the wallet that signs in. The key is
 * read anew, so that one that was revoked a moment ago, at whichever gateway, revokes nothing.
 * @returns the account, null for a wallet that has none yet; and whether the wallet itself asks.
 * @throws ApiError 401 without a credential that holds, 403 for an INFERENCE key, 429 beyond the caller's cap.
 */
export async function keyHolderOf(call: Call, { auth, db, now }: { auth: Auth; db: Database; now: () => number }): Promise<{ accountId: number | null; byWallet: boolean }> {
  const { apiKeyId, wallet } = await auth.identifyReader(call);
  if (wallet !== null) return { accountId: await askStore(() => findWalletAccount(db, wallet)), byWallet: true };
  const key = apiKeyId === null ? null : await askStore(() => findApiKey(db, apiKeyId));
  if (!key) throw apiError('INVALID_API_KEY');
  if (key.revokedAt !== null) throw apiError('API_KEY_REVOKED');
  if (key.expiresAt !== null && key.expiresAt <= now()) throw apiError('API_KEY_EXPIRED');
  if (key.type !== 'ADMIN') throw apiError('FORBIDDEN', { message: 'An INFERENCE key may not list or revoke keys.', hint: 'Use an ADMIN key of the account, or sign in with its wallet (SIGN-IN-WITH-X).' });
  return { accountId: key.accountId, byWallet: false };
}
