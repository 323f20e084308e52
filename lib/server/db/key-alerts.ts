import type { Database } from './schema';

/** Amounts are in nano-USD. */
interface WatchedKey {
  id: number;
  accountId: number;
  description: string;
  last6: string;
  limitPeriod: 'EPOCH' | 'MONTH' | 'LIFETIME';
  thresholdNano: number;
  webhookUrl: string | null;
}

/** Alert of a key in a period, and the state of its delivery. Times are Unix milliseconds. */
export interface KeyAlert {
  id: number;
  keyId: number;
  period: string;
  spentNano: number;
  thresholdNano: number;
  reachedAt: number;
  webhookUrl: string | null;
  attempts: number;
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  error: string | null;
}

/** Lists live keys with an alert and an id above `after`, by ascending id. */
export async function watchedKeys(
  db: Database,
  { after, limit, now }: { after: number; limit: number; now: number },
): Promise<WatchedKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'account_id', 'description', 'last6', 'limit_period', 'alert_at', 'webhook_url'])
    .where('id', '>', after)
    .where('alert_at', 'is not', null)
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    description: row.description,
    last6: row.last6,
    limitPeriod: row.limit_period,
    thresholdNano: row.alert_at as number,
    webhookUrl: row.webhook_url,
  }));
}

/**
 * Records that a key's spending has reached its alert amount, once per period and amount. @returns whether the alert is
 * new
 */
export async function noteAlert(
  db: Database,
  { id, thresholdNano, webhookUrl }: WatchedKey,
  period: string,
  spentNano: number,
  now: number,
): Promise<boolean> {
  const made = await db
    .insertInto('key_alerts')
    .values({
      api_key_id: id,
      period,
      spent: spentNano,
      threshold: thresholdNano,
      reached_at: now,
      webhook_url: webhookUrl,
      next_attempt_at: webhookUrl === null ? null : now,
    })
    .onConflict((conflict) => conflict.columns(['api_key_id', 'period', 'threshold']).doNothing())
    .executeTakeFirst();
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Leases the next due alert to this process. Returns null if it gets none. */
export async function takeAlert(db: Database, now: number, leaseMs: number): Promise<KeyAlert | null> {
  const due = await db
    .selectFrom('key_alerts')
    .select('id')
    .where('next_attempt_at', '<=', now)
    .where('lease_until', '<=', now)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  if (!due) return null;
  const row = await db
    .updateTable('key_alerts')
    .set((alert) => ({ lease_until: now + leaseMs, attempts: alert('attempts', '+', 1) }))
    .where('id', '=', due.id)
    .where('lease_until', '<=', now)
    .returningAll()
    .executeTakeFirst();
  return row ? toAlert(row) : null;
}

/** Records the result of a delivery attempt. @param nextAttemptAt null if there is no further attempt */
export async function endAttempt(
  db: Database,
  id: number,
  outcome: { deliveredAt: number | null; nextAttemptAt: number | null; error: string | null },
): Promise<void> {
  await db
    .updateTable('key_alerts')
    .set({
      delivered_at: outcome.deliveredAt,
      next_attempt_at: outcome.nextAttemptAt,
      error: outcome.error,
      lease_until: 0,
    })
    .where('id', '=', id)
    .execute();
}

export async function lastAlerts(db: Database, keyIds: readonly number[]): Promise<Map<number, KeyAlert>> {
  if (keyIds.length === 0) return new Map();
  const newest = db
    .selectFrom('key_alerts')
    .select((row) => row.fn.max('id').as('id'))
    .where('api_key_id', 'in', keyIds)
    .groupBy('api_key_id');
  const rows = await db.selectFrom('key_alerts').selectAll().where('id', 'in', newest).execute();
  return new Map(rows.map((row) => [row.api_key_id, toAlert(row)]));
}

interface AlertRow {
  id: number;
  api_key_id: number;
  period: string;
  spent: number;
  threshold: number;
  reached_at: number;
  webhook_url: string | null;
  attempts: number;
  next_attempt_at: number | null;
  delivered_at: number | null;
  error: string | null;
}

function toAlert(row: AlertRow): KeyAlert {
  return {
    id: row.id,
    keyId: row.api_key_id,
    period: row.period,
    spentNano: row.spent,
    thresholdNano: row.threshold,
    reachedAt: row.reached_at,
    webhookUrl: row.webhook_url,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    deliveredAt: row.delivered_at,
    error: row.error,
  };
}
