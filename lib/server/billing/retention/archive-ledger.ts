import { setImmediate as turn } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import { backgroundTransaction } from '../../db/background-transaction';
import type { Database, Schema } from '../../db/schema';
import { epochAt, epochStart } from '../rules/epoch';
import { readArchive, removeArchive, sha256Of, writeArchive } from './archive-file';
import { forgetProofs } from '../ledger-proof';
import type { DailyRow } from './daily-rows';

/** Rows per statement. A statement's parameters are limited. */
const DELETED_AT_ONCE = 500;
const INSERTED_AT_ONCE = 50;

/** Thrown if the previous archive is not in this folder. All archives must be in one folder. */
export class ArchiveElsewhere extends Error {
  override readonly name = 'ArchiveElsewhere';
}

class ArchivedByOther extends Error {}

/**
 * Moves charges to an archive file and replaces them with daily rows. First writes the file, then replaces the rows in
 * short transactions, which also record how many are replaced. After any interruption, each charge exists once: in the
 * ledger, or in a recorded archive and replaced by a daily row.
 * @param before start of a UTC day, Unix milliseconds; only older charges are moved
 * @param slices daily rows; a slice's rows depend on each other's balances, so one transaction replaces all of them
 * @returns false if another process archived first
 * @throws ArchiveElsewhere, or the write error; earlier transactions stay committed
 */
export async function archiveBatch(
  db: Database,
  {
    folder,
    before,
    stepRows,
    rest,
  }: { folder: string; before: number; stepRows: number; rest: () => Promise<unknown> },
  slices: readonly (readonly DailyRow[])[],
): Promise<boolean> {
  const last = await db
    .selectFrom('ledger_archives')
    .select(['id', 'file', 'sha256'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last) refuseElsewhere(folder, last);
  const archive = (last?.id ?? 0) + 1;
  const previousSha256 = last?.sha256 ?? '';
  await turn();
  const { file, sha256 } = await writeArchive(folder, { archive, previousSha256 }, slices.flat());
  const record = { id: archive, file, sha256, previous_sha256: previousSha256, before_at: before };
  let done = 0;
  try {
    for (const step of stepsOf(slices, stepRows)) {
      if (done > 0) await rest();
      // If a power failure undoes this transaction, the rows are still in the ledger and are archived again.
      await backgroundTransaction(db, async (transaction) => {
        await (done === 0 ? insertRecord(transaction, record, step) : addToRecord(transaction, archive, step));
        await transaction.insertInto('ledger_archiving').values({ before_at: before }).execute();
        await forgetProofs(transaction, lastIdsOf(step));
        await replaceRows(transaction, archive, step);
        await transaction.deleteFrom('ledger_archiving').execute();
      });
      done++;
    }
  } catch (error) {
    const isArchivedByOther = error instanceof ArchivedByOther;
    if (done > 0 && !isArchivedByOther) throw error;
    const first = await db.selectFrom('ledger_archives').select('file').where('id', '=', archive).executeTakeFirst();
    if (!first && !isArchivedByOther) throw error;
    if (first?.file !== file) removeArchive(folder, file);
    return false;
  }
  return true;
}

function stepsOf(slices: readonly (readonly DailyRow[])[], rowsMax: number): DailyRow[][] {
  const steps: DailyRow[][] = [];
  let rows = Infinity;
  for (const slice of slices) {
    const sliceRows = countsOf(slice).rows;
    if (rows + sliceRows > rowsMax) [rows] = [0, steps.push([])];
    steps.at(-1)?.push(...slice);
    rows += sliceRows;
  }
  return steps;
}

type ArchiveRecord = Pick<
  Selectable<Schema['ledger_archives']>,
  'id' | 'file' | 'sha256' | 'previous_sha256' | 'before_at'
>;

async function insertRecord(db: Database, record: ArchiveRecord, step: readonly DailyRow[]): Promise<void> {
  const counts = countsOf(step);
  await db
    .insertInto('ledger_archives')
    .values({
      ...record,
      archived_rows: counts.rows,
      daily_rows: step.length,
      amount: counts.amount,
      created_at: Date.now(),
    })
    .execute();
}

async function addToRecord(db: Database, archive: number, step: readonly DailyRow[]): Promise<void> {
  const counts = countsOf(step);
  await db
    .updateTable('ledger_archives')
    .set((record) => ({
      archived_rows: record('archived_rows', '+', counts.rows),
      daily_rows: record('daily_rows', '+', step.length),
      amount: record('amount', '+', counts.amount),
    }))
    .where('id', '=', archive)
    .execute();
}

function countsOf(daily: readonly DailyRow[]): { rows: number; amount: number } {
  return {
    rows: daily.reduce((sum, { rows }) => sum + rows.length, 0),
    amount: daily.reduce((sum, row) => sum + row.amount, 0),
  };
}

/** Returns the start of the UTC day that is `ledgerDays` days before today. */
export function archivedBefore(ledgerDays: number, now: number): number {
  return epochStart(epochAt(now) - ledgerDays);
}

function lastIdsOf(daily: readonly DailyRow[]): Map<number, number> {
  const last = new Map<number, number>();
  for (const { accountId, id } of daily) last.set(accountId, Math.max(id, last.get(accountId) ?? 0));
  return last;
}

function refuseElsewhere(folder: string, { file, sha256 }: { file: string; sha256: string }): void {
  const bytes = readArchive(folder, file);
  if (bytes && sha256Of(bytes) === sha256) return;
  throw new ArchiveElsewhere(
    `The newest archive of the ledger, ${file}, ${bytes ? 'has changed since it was written' : 'is missing'} in ${folder}. Set retention.archiveDir to the folder with all archives, or move the archives here. Nothing was changed.`,
  );
}

/**
 * Replaces charges with daily rows. On SQLite, runs without pauses, because a charge during a pause would wait for this
 * transaction's lock and block the thread.
 */
async function replaceRows(db: Database, archive: number, daily: readonly DailyRow[]): Promise<void> {
  const ids = daily.flatMap(({ rows }) => rows.map(({ id }) => id));
  let deleted = 0n;
  for (let start = 0; start < ids.length; start += DELETED_AT_ONCE) {
    deleted += (
      await db
        .deleteFrom('ledger_rows')
        .where('id', 'in', ids.slice(start, start + DELETED_AT_ONCE))
        // Excludes daily rows. Another process may have replaced a row with a daily row of the same id.
        .where((row) => row(row.fn.coalesce('archive_id', row.lit(0)), '=', 0))
        .executeTakeFirst()
    ).numDeletedRows;
  }
  if (Number(deleted) !== ids.length) throw new ArchivedByOther();
  for (let start = 0; start < daily.length; start += INSERTED_AT_ONCE)
    await insertDaily(db, archive, daily.slice(start, start + INSERTED_AT_ONCE));
}

async function insertDaily(db: Database, archive: number, daily: readonly DailyRow[]): Promise<void> {
  const rows = daily.map(
    (row) =>
      sql`(${sql.join([
        row.id,
        row.accountId,
        row.pot,
        'CHARGE',
        row.amount,
        row.balanceAfter,
        row.apiKeyId,
        row.resource,
        `${row.calls} ${row.calls === 1 ? 'call' : 'calls'}, archived`,
        row.units,
        `archive ${archive} ${row.id}`,
        row.createdAt,
        row.calls,
        archive,
      ])})`,
  );
  await sql`
    insert into ledger (id, account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at, calls, archive_id)
    values ${sql.join(rows)}`.execute(db);
}
