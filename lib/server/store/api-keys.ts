import { hash, randomBytes } from 'node:crypto';
import type { ApiKeyType, Database, LimitPeriod } from './schema';

/** Keys start with this, so that secret scanners and people recognise one. */
const KEY_PREFIX = 'tpk_';
const KEY_BYTES = 32;

/** What a key may do, besides being known. Amounts are nano-USD, times Unix milliseconds. */
export interface NewApiKey {
  accountId: number;
  type: ApiKeyType;
  description: string;
  expiresAt: number | null;
  limitPeriod: LimitPeriod;
  limitUsdNano: number | null;
  limitDiemNano: number | null;
}

/** A key as it may be listed: everything but the secret. */
export interface ApiKey extends NewApiKey {
  id: number;
  last6: string;
  createdAt: number;
  revokedAt: number | null;
}

/** A new random key: 256 bits, base64url, behind a prefix. */
export function newApiKeySecret(): string {
  return KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
}

/** The form in which a key is stored and looked up. The keys are random, so a plain hash cannot be guessed back. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Stores the hash of a key. @returns its id. */
export async function insertApiKey(db: Database, secret: string, key: NewApiKey, now = Date.now()): Promise<number> {
  const { id } = await db
    .insertInto('api_keys')
    .values({
      account_id: key.accountId,
      hash: hashApiKey(secret),
      last6: secret.slice(-6),
      type: key.type,
      description: key.description,
      limit_period: key.limitPeriod,
      limit_usd: key.limitUsdNano,
      limit_diem: key.limitDiemNano,
      created_at: now,
      expires_at: key.expiresAt,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The keys of one account, or of all, oldest first. */
export async function listApiKeys(db: Database, accountId?: number): Promise<ApiKey[]> {
  let query = db.selectFrom('api_keys').selectAll().orderBy('id');
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  return (await query.execute()).map((row) => ({
    id: row.id,
    accountId: row.account_id,
    last6: row.last6,
    type: row.type,
    description: row.description,
    limitPeriod: row.limit_period,
    limitUsdNano: row.limit_usd,
    limitDiemNano: row.limit_diem,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }));
}

/** Ends a key for good. @returns whether there was a live key with this id. */
export async function revokeApiKey(db: Database, id: number, now = Date.now()): Promise<boolean> {
  const result = await db.updateTable('api_keys').set({ revoked_at: now }).where('id', '=', id).where('revoked_at', 'is', null).executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
