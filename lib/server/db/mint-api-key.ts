import { lockAccount } from './accounts';
import {
  type ApiKey,
  countApiKeysSince,
  countLiveApiKeys,
  insertApiKey,
  limitsOfKeysMadeBy,
  lockApiKey,
  type NewApiKey,
} from './api-keys';
import { periodStart } from '@/lib/protocol/api-keys/terms';
import type { Database } from './schema';
import { ensureWalletAccount } from './wallets';

export const LIVE_KEYS_MAX = 100;
/** Maximum number of keys that an account may create in 24 hours, including revoked ones. */
export const MINTED_A_DAY_MAX = 200;
const DAY_MS = 86_400_000;

/**
 * Stores a key for a wallet, and creates the wallet's account if it has none, in one durable transaction. Locks the
 * account, so that keys created at the same time stay within the limits.
 * @returns the key's id and account; or the limit that was reached, in which case nothing is changed
 */
export function mintApiKey(
  db: Database,
  address: string,
  secret: string,
  key: Omit<NewApiKey, 'accountId'>,
  now = Date.now(),
): Promise<{ id: number; accountId: number } | KeysFull> {
  return db.transaction().execute(async (transaction) => {
    const accountId = await ensureWalletAccount(transaction, address, now);
    await lockAccount(transaction, accountId);
    const full = await fullAccount(transaction, accountId, now);
    if (full !== null) return full;
    return { id: await insertApiKey(transaction, secret, { accountId, ...key }, now), accountId };
  });
}

/** Sums of the limits of keys that one ADMIN key made, in nano-USD per limit period of the ADMIN key. */
export type LimitsTogether = Awaited<ReturnType<typeof limitsOfKeysMadeBy>>;

/**
 * Stores a key that an ADMIN key creates, in one durable transaction. Locks the account and then the ADMIN key, so that
 * the ADMIN key does not change between decision and write.
 * @param decide returns the new key's terms, given the ADMIN key (null if missing) and the sum of its keys' limits;
 * throws to refuse
 * @returns the key's id; or the limit that was reached, in which case nothing is changed
 */
export function makeApiKey(
  db: Database,
  { accountId, by }: { accountId: number; by: number },
  secret: string,
  decide: (by: ApiKey | null, made: LimitsTogether) => Omit<NewApiKey, 'accountId' | 'madeBy'>,
  now = Date.now(),
): Promise<{ id: number } | KeysFull> {
  return db.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    const maker = await lockApiKey(transaction, by);
    const since = maker === null ? now : periodStart(maker.limitPeriod, now);
    const key = decide(maker, await limitsOfKeysMadeBy(transaction, by, since));
    const full = await fullAccount(transaction, accountId, now);
    if (full !== null) return full;
    return { id: await insertApiKey(transaction, secret, { ...key, accountId, madeBy: by }, now) };
  });
}

/** Limit that an account has reached: its number of live keys, or of new keys in a day. */
export type KeysFull = 'live-keys' | 'keys-a-day';

async function fullAccount(db: Database, accountId: number, now: number): Promise<KeysFull | null> {
  if ((await countLiveApiKeys(db, accountId, now)) >= LIVE_KEYS_MAX) return 'live-keys';
  if ((await countApiKeysSince(db, accountId, now - DAY_MS)) >= MINTED_A_DAY_MAX) return 'keys-a-day';
  return null;
}
