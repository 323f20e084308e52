import { hash, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type KeyScope, keyScopeOf } from '@/lib/protocol/api-keys/key-scope';
import type { ApiKeyType, Database, LimitPeriod, Schema } from './schema';

/** Secret scanners recognise a key by this prefix. */
const KEY_PREFIX = 'tpk_';
const KEY_BYTES = 32;

/** Limits and alert of a key. Amounts are in nano-USD per period. */
export interface KeyBudget {
  /** Null for no restriction. */
  allow: KeyScope | null;
  /** Limit for the wallet's prepaid balance; null if the key cannot spend prepaid money. */
  limitPrepaidNano: number | null;
  /** Spending at which the key's owner is alerted; null for no alert. */
  alertNano: number | null;
  /** URL to which alerts are sent. If null, alerts appear only in the list of keys. */
  webhookUrl: string | null;
}

export const NO_BUDGET: KeyBudget = { allow: null, limitPrepaidNano: null, alertNano: null, webhookUrl: null };

/** New key. Amounts are in nano-USD, and times in Unix milliseconds. */
export interface NewApiKey extends Partial<KeyBudget> {
  accountId: number;
  type: ApiKeyType;
  description: string;
  expiresAt: number | null;
  limitPeriod: LimitPeriod;
  limitUsdNano: number | null;
  limitDiemNano: number | null;
  /** ADMIN key that created the key; null if a wallet or the operator created it. */
  madeBy?: number | null;
}

export interface ApiKey extends Required<NewApiKey> {
  id: number;
  last6: string;
  createdAt: number;
  revokedAt: number | null;
}

/** Returns a new random API key: a prefix and 256 bits in base64url. */
export function newApiKeySecret(): string {
  return KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
}

/** Hashes an API key for storage. A plain hash is enough, because random keys cannot be guessed. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Stores a key. The database gets only the key's hash. @returns the key's id */
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
      made_by: key.madeBy ?? null,
      created_at: now,
      expires_at: key.expiresAt,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function listApiKeys(db: Database, accountId?: number): Promise<ApiKey[]> {
  let query = db.selectFrom('api_keys').selectAll().orderBy('id');
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  return (await query.execute()).map(toApiKey);
}

interface ApiKeyPage {
  limit: number;
  offset: number;
  /** Whether to include revoked keys. Expired keys are always included. */
  includeRevoked: boolean;
}

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

export async function findApiKey(db: Database, id: number): Promise<ApiKey | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toApiKey(row) : null;
}

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

/** Counts the keys of an account that were created after `since`, including revoked and expired ones. */
export async function countApiKeysSince(db: Database, accountId: number, since: number): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Sums the limits, in nano-USD, of the keys that an ADMIN key created. Leaves out keys revoked or expired before
 * `since`. A missing limit adds nothing.
 */
export async function limitsOfKeysMadeBy(
  db: Database,
  by: number,
  since: number,
): Promise<{ limitUsdNano: number; limitDiemNano: number }> {
  const { usd, diem } = await db
    .selectFrom('api_keys')
    .select((row) => [
      row.fn.sum<number | null>('limit_usd').as('usd'),
      row.fn.sum<number | null>('limit_diem').as('diem'),
    ])
    .where('made_by', '=', by)
    .where((row) => row.or([row('revoked_at', 'is', null), row('revoked_at', '>=', since)]))
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>=', since)]))
    .executeTakeFirstOrThrow();
  return { limitUsdNano: Number(usd), limitDiemNano: Number(diem) };
}

/** Changes to a key. Fields that are absent here stay as they are. */
export interface KeyChange extends Partial<KeyBudget> {
  revokedAt?: number;
}

/**
 * Changes a key in one transaction. Locks this key and the requesting key, so that neither is revoked or limited
 * between decision and write. Locks by ascending id, so that two keys that change each other do not deadlock.
 * @param by the requesting key's id; null if the wallet requests the change
 * @param decide returns the changes, given both current keys (null if missing); throws to refuse
 * @returns the key after the change
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

/**
 * Locks a key until the transaction ends. Uses an update that changes no value, because SQLite has no SELECT … FOR
 * UPDATE.
 */
export async function lockApiKey(db: Database, id: number): Promise<ApiKey | null> {
  const row = await db
    .updateTable('api_keys')
    .set((key) => ({ last6: key.ref('last6') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ? toApiKey(row) : null;
}

/** Revokes a key permanently. @returns false if the key does not exist or was already revoked */
export async function revokeApiKey(db: Database, id: number, now = Date.now()): Promise<boolean> {
  const result = await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** An absent field becomes an undefined column, which Kysely ignores. */
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
    madeBy: row.made_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
