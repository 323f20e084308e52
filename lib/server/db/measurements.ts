import type { Insertable, Selectable } from 'kysely';
import type { Database, Schema } from './schema';

export type MeasurementRow = Selectable<Schema['measurements']>;

export function newestMeasurement(
  db: Database,
  of: Partial<Pick<MeasurementRow, 'model' | 'role' | 'digest'>> = {},
): Promise<MeasurementRow | undefined> {
  let query = db.selectFrom('measurements').selectAll();
  for (const name of ['model', 'role', 'digest'] as const) {
    const value = of[name];
    if (value !== undefined) query = query.where(name, '=', value);
  }
  return query.orderBy('seq', 'desc').limit(1).executeTakeFirst();
}

export function currentMeasurements(
  db: Database,
  model: string,
): Promise<Pick<MeasurementRow, 'seq' | 'digest' | 'role' | 'last_seen'>[]> {
  return db
    .selectFrom('measurements')
    .select(['seq', 'digest', 'role', 'last_seen'])
    .where('model', '=', model)
    .where('is_current', '=', 1)
    .execute();
}

export async function countMeasurements(
  db: Database,
  { model, since, isReturn }: { model: string; since: number; isReturn: 0 | 1 },
): Promise<number> {
  const { count } = await db
    .selectFrom('measurements')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('model', '=', model)
    .where('logged_at', '>', since)
    .where('is_return', '=', isReturn)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function seeMeasurements(db: Database, seqs: readonly number[], at: number): Promise<void> {
  if (seqs.length === 0) return;
  const update = db.updateTable('measurements').set({ last_seen: at });
  await update.where('seq', 'in', seqs).where('last_seen', '<', at).execute();
}

export async function setCurrent(db: Database, seqs: readonly number[], isCurrent: 0 | 1): Promise<void> {
  if (seqs.length === 0) return;
  await db.updateTable('measurements').set({ is_current: isCurrent }).where('seq', 'in', seqs).execute();
}

export async function skipMeasurement(db: Database, seq: number): Promise<void> {
  await db
    .updateTable('measurements')
    .set(({ eb }) => ({ skipped: eb('skipped', '+', 1) }))
    .where('seq', '=', seq)
    .execute();
}

/** Adds an entry. @returns false if another process used the entry's number */
export async function insertMeasurement(db: Database, row: Insertable<Schema['measurements']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('measurements')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) === 1;
}

export function listMeasurements(
  db: Database,
  { model, after, limit }: { model: string | undefined; after: number; limit: number },
): Promise<MeasurementRow[]> {
  let query = db.selectFrom('measurements').selectAll().where('seq', '>', after);
  if (model !== undefined) query = query.where('model', '=', model);
  return query.orderBy('seq').limit(limit).execute();
}
