import { lockAccount } from './accounts';
import { countApiKeysSince, countLiveApiKeys, insertApiKey, type NewApiKey } from './api-keys';
import type { Database } from './schema';
import { ensureWalletAccount } from './wallets';

/** Most keys of one account that are neither revoked nor expired, when a wallet mints another. */
export const LIVE_KEYS_MAX = 100;
/** Most keys that a wallet mints in 24 hours, also where it revokes them: their rows are kept for the books. */
export const MINTED_A_DAY_MAX = 200;
const DAY_MS = 86_400_000;

/**
 * Stores a key for a wallet, and makes the wallet's account where it has none: all of it or nothing, in one
 * transaction that is on disk when this resolves. The account is locked meanwhile, so that wallets that mint many keys
 * at once, through any number of gateways, get no more than the most.
 * @returns the key's id and account; or the limit that the account has reached, and nothing has changed.
 */
export function mintApiKey(
  db: Database,
  address: string,
  secret: string,
  key: Omit<NewApiKey, 'accountId'>,
  now = Date.now(),
): Promise<{ id: number; accountId: number } | 'live-keys' | 'keys-a-day'> {
  return db.transaction().execute(async (transaction) => {
    const accountId = await ensureWalletAccount(transaction, address, now);
    await lockAccount(transaction, accountId);
    if ((await countLiveApiKeys(transaction, accountId, now)) >= LIVE_KEYS_MAX) return 'live-keys';
    if ((await countApiKeysSince(transaction, accountId, now - DAY_MS)) >= MINTED_A_DAY_MAX) return 'keys-a-day';
    return { id: await insertApiKey(transaction, secret, { accountId, ...key }, now), accountId };
  });
}
