import { lockAccount } from './accounts';
import { countLiveApiKeys, insertApiKey, type NewApiKey } from './api-keys';
import type { Database } from './schema';
import { ensureWalletAccount } from './wallets';

/** Most keys of one account that are neither revoked nor expired, when a wallet mints another. */
export const LIVE_KEYS_MAX = 100;

/**
 * Stores a key for a wallet, and makes the wallet's account where it has none: all of it or nothing, in one
 * transaction that is on disk when this resolves. The account is locked meanwhile, so that wallets that mint many keys
 * at once, through any number of gateways, get no more than the most.
 * @returns the key's id and account; null, and nothing has changed, for an account with the most live keys already.
 */
export function mintApiKey(db: Database, address: string, secret: string, key: Omit<NewApiKey, 'accountId'>, now = Date.now()): Promise<{ id: number; accountId: number } | null> {
  return db.transaction().execute(async (transaction) => {
    const accountId = await ensureWalletAccount(transaction, address, now);
    await lockAccount(transaction, accountId);
    if ((await countLiveApiKeys(transaction, accountId, now)) >= LIVE_KEYS_MAX) return null;
    return { id: await insertApiKey(transaction, secret, { accountId, ...key }, now), accountId };
  });
}
