import { hash, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type KeyScope, keyScopeOf } from '@/lib/protocol/api-keys/key-scope';
import type { ApiKeyType, Database, LimitPeriod, Schema } from './schema';

/** Keys start with this, so that secret scanners and people recognise one. */
const KEY_PREFIX = 'tpk_';
const KEY_BYTES = 32;

/** How an owner bounds and watches a key, and may change at any time. Amounts are nano-USD a period. */
export interface KeyBudget {
  /** What it may be used for; null for everything. */
  allow: KeyScope | null;
  /** What it may spend of what its wallet prepaid; null for none of it. */
  limitPrepaidNano: number | null;
  /** What it has spent when its owner is told; null for never. */
  alertNano: number | null;
  /** Where that is told, beside the list of keys. */
  webhookUrl: string | null;
}

export const NO_BUDGET: KeyBudget = { allow: null, limitPrepaidNano: null, alertNano: null, webhookUrl: null };

/** What a key may do, besides being known. Amounts are nano-USD, times Unix milliseconds. */
export interface NewApiKey extends Partial<KeyBudget> {
  accountId: number;
  type: ApiKeyType;
  description: string;
  expiresAt: number | null;
  limitPeriod: LimitPeriod;
  limitUsdNano: number | null;
  limitDiemNano: number | null;
}

/** A key as it may be listed: everything but the secret. */
export interface ApiKey extends Required<NewApiKey> {
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
      ...budgetColumns({ ...NO_BUDGET, ...key }),
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
  return (await query.execute()).map(toApiKey);
}

/** Which keys of an account to give. */
export interface ApiKeyPage {
  limit: number;
  offset: number;
  /** Also those that were revoked. Expired ones always are among them. */
  includeRevoked: boolean;
}

/** Keys of one account, newest first. @returns at most `limit`. */
export async function pageOfApiKeys(
  db: Database,
  accountId: number,
  { limit, offset, includeRevoked }: ApiKeyPage,
): Promise<ApiKey[]> {
  let query = db
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
  if (!includeRevoked) query = query.where('revoked_at', 'is', null);
  return (await query.execute()).map(toApiKey);
}

/** The key with this id, as the store has it now. */
export async function findApiKey(db: Database, id: number): Promise<ApiKey | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toApiKey(row) : null;
}

/** How many keys of an account are neither revoked nor expired. */
export async function countLiveApiKeys(db: Database, accountId: number, now = Date.now()): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How many keys of an account were made after a time, whatever became of them. */
export async function countApiKeysSince(db: Database, accountId: number, since: number): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What is written to a key; what is left out stays as it is. */
export interface KeyChange extends Partial<KeyBudget> {
  revokedAt?: number;
}

/**
 * Changes a key in one transaction that has locked it and the key that asks, so that neither is revoked or bounded
 * between the decision and the write. Keys are locked by ascending id: two that change each other do not deadlock.
 * @param by id of the key that asks; null where its wallet does
 * @param decide says what to write, from both keys as they are now, null for one that is not there; throws to refuse
 * @returns the key as it is after the change
 */
export function changeApiKey(
  db: Database,
  id: number,
  by: number | null,
  decide: (key: ApiKey | null, by: ApiKey | null) => KeyChange,
): Promise<ApiKey> {
  return db.transaction().execute(async (transaction) => {
    const locked = new Map<number, ApiKey>();
    for (const each of [...new Set(by === null ? [id] : [id, by])].sort((one, other) => one - other)) {
      const key = await lockApiKey(transaction, each);
      if (key) locked.set(each, key);
    }
    const { revokedAt, ...budget } = decide(locked.get(id) ?? null, by === null ? null : (locked.get(by) ?? null));
    const changed = { ...budgetColumns(budget), ...(revokedAt !== undefined && { revoked_at: revokedAt }) };
    return toApiKey(
      await transaction
        .updateTable('api_keys')
        .set(changed)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
  });
}

/** Locks a key until the transaction ends, by a write that changes nothing: on SQLite, which has no row locks, too. */
async function lockApiKey(db: Database, id: number): Promise<ApiKey | null> {
  const row = await db
    .updateTable('api_keys')
    .set((key) => ({ last6: key.ref('last6') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ? toApiKey(row) : null;
}

/** Ends a key for good. @returns whether there was a live key with this id. */
export async function revokeApiKey(db: Database, id: number, now = Date.now()): Promise<boolean> {
  const result = await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Columns of what is given; Kysely leaves out what is undefined. */
function budgetColumns({ allow, limitPrepaidNano, alertNano, webhookUrl }: Partial<KeyBudget>) {
  return {
    allow: allow && JSON.stringify(allow),
    limit_prepaid: limitPrepaidNano,
    alert_at: alertNano,
    webhook_url: webhookUrl,
  };
}

function toApiKey(row: Selectable<Schema['api_keys']>): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    last6: row.last6,
    type: row.type,
    description: row.description,
    limitPeriod: row.limit_period,
    limitUsdNano: row.limit_usd,
    limitDiemNano: row.limit_diem,
    allow: keyScopeOf(row.allow),
    limitPrepaidNano: row.limit_prepaid,
    alertNano: row.alert_at,
    webhookUrl: row.webhook_url,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
