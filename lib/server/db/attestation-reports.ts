import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database, Schema } from './schema';

const LISTED = ['sha256', 'facts', 'signing_address'] as const;

export type ReportRow = Pick<Selectable<Schema['attestation_reports']>, (typeof LISTED)[number]>;

/**
 * Finds a model's newest report that was made at `since` or later. If `address` (in lower case) is not null, the report
 * must have this signing address.
 */
export function findReport(
  db: Database,
  { model, address, since }: { model: string; address: string | null; since: number },
): Promise<ReportRow | undefined> {
  let query = db.selectFrom('attestation_reports').select(LISTED).where('model', '=', model).where('at', '>=', since);
  if (address !== null) query = query.where('signing_address', '=', address);
  return query.orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** Stores a report, and deletes the oldest reports beyond the limits. */
export async function insertReport(
  db: Database,
  row: Insertable<Schema['attestation_reports']>,
  { ofModelMax, bytesMax }: { ofModelMax: number; bytesMax: number },
): Promise<void> {
  await db
    .insertInto('attestation_reports')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const beyond = sql`select id from attestation_reports where model = ${row.model} order by id desc limit 1000 offset ${ofModelMax}`;
  await sql`delete from attestation_reports where id in (${beyond})`.execute(db);
  const sums = sql`select id, sum(bytes) over (order by id desc) as sum from attestation_reports`;
  await sql`delete from attestation_reports where id in (select id from (${sums}) as sums where sum > ${bytesMax})`.execute(
    db,
  );
}

export async function readReport(db: Database, sha256: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('attestation_reports')
    .select('report')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.report;
}
