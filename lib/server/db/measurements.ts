import type { Selectable } from 'kysely';
import type { Database, Schema } from './schema';

export type MeasurementRow = Selectable<Schema['measurements']>;

/**
 * Returns the newest entry of the log; for a given model and role, the newest entry for enclaves of that model in that
 * role.
 */
export function newestMeasurement(
  db: Database,
  of?: Pick<MeasurementRow, 'model' | 'role'>,
): Promise<MeasurementRow | undefined> {
  let query = db.selectFrom('measurements').selectAll();
  if (of) query = query.where('model', '=', of.model).where('role', '=', of.role);
  return query.orderBy('seq', 'desc').limit(1).executeTakeFirst();
}

export async function countMeasurements(db: Database, model: string): Promise<number> {
  const { count } = await db
    .selectFrom('measurements')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('model', '=', model)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Sets when a measurement was last seen. @returns false if the measurement is not in the log */
export async function seeMeasurement(db: Database, digest: string, at: number): Promise<boolean> {
  const known = await db.selectFrom('measurements').select('last_seen').where('digest', '=', digest).executeTakeFirst();
  if (known === undefined) return false;
  await db
    .updateTable('measurements')
    .set({ last_seen: at })
    .where('digest', '=', digest)
    .where('last_seen', '<', at)
    .execute();
  return true;
}

/** Adds an entry. @returns false if another process used the entry's number or added the same measurement */
export async function insertMeasurement(db: Database, row: MeasurementRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('measurements')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) === 1;
}

/** Lists the entries of one model or of all models, oldest first. */
export function listMeasurements(
  db: Database,
  { model, after, limit }: { model: string | undefined; after: number; limit: number },
): Promise<MeasurementRow[]> {
  let query = db.selectFrom('measurements').selectAll().where('seq', '>', after);
  if (model !== undefined) query = query.where('model', '=', model);
  return query.orderBy('seq').limit(limit).execute();
}
