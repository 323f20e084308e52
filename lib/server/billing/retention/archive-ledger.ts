import { setImmediate as turn } from 'node:timers/promises';
import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { carryKeyUsage } from '../../db/key-usage';
import type { Database } from '../../db/schema';
import { epochAt, epochStart } from '../rules/epoch';
import { readArchive, removeArchive, sha256Of, writeArchive } from './archive-file';
import { type DailyRow, dailyRowsOf, type LedgerRow } from './daily-rows';

/**
 * Approximate rows per archive. On SQLite, the transaction that replaces them must not yield. Otherwise the meter's own
 * connection would block this thread while waiting for the lock.
 */
const ROWS_MAX = 2_000;
const ACCOUNTS_PAGE = 200;
/** Rows per statement, within the parameter limits of SQLite and Postgres. */
const DELETED_AT_ONCE = 500;
const INSERTED_AT_ONCE = 50;

/** The previous archive is not in this folder. All archives must be in one folder. */
export class ArchiveElsewhere extends Error {
  override readonly name = 'ArchiveElsewhere';
}

export interface Batch {
  archived: number;
  daily: number;
  next: number;
}

interface Archiving {
  folder: string;
  /** Start of a UTC day, Unix milliseconds. Older rows are archived. */
  before: number;
  from: number;
  rowsMax?: number;
}

/**
 * Moves old charges to an archive file and replaces them by daily rows. The file is durable before one transaction
 * replaces the rows and records it. After any interruption, each charge is once in the ledger or in a recorded archive.
 * Of several concurrent processes, one succeeds.
 * @returns null if nothing is left, or another process was first
 * @throws ArchiveElsewhere, or the error of writing; nothing is changed
 */
export async function archiveBatch(
  db: Database,
  { folder, before, from, rowsMax = ROWS_MAX }: Archiving,
): Promise<Batch | null> {
  const last = await db
    .selectFrom('ledger_archives')
    .select(['id', 'file', 'sha256'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { daily, next } = await collect(db, { before, from, rowsMax });
  if (daily.length === 0) return null;
  if (last) refuseElsewhere(folder, last);
  const archive = (last?.id ?? 0) + 1;
  const previousSha256 = last?.sha256 ?? '';
  await turn();
  const { file, sha256 } = writeArchive(folder, { archive, previousSha256 }, daily);
  const archived = daily.reduce((sum, { rows }) => sum + rows.length, 0);
  const amount = daily.reduce((sum, row) => sum + row.amount, 0);
  await turn();
  try {
    await db.transaction().execute(async (transaction) => {
      // Fails if another process has already recorded an archive with this number.
      await transaction
        .insertInto('ledger_archives')
        .values({
          id: archive,
          file,
          sha256,
          previous_sha256: previousSha256,
          archived_rows: archived,
          daily_rows: daily.length,
          amount,
          before_at: before,
          created_at: Date.now(),
        })
        .execute();
      await transaction.insertInto('ledger_archiving').values({ before_at: before }).execute();
      await replaceRows(transaction, archive, daily, archived);
      await transaction.deleteFrom('ledger_archiving').execute();
    });
  } catch (error) {
    const first = await db.selectFrom('ledger_archives').select('file').where('id', '=', archive).executeTakeFirst();
    if (!first) throw error;
    if (first.file !== file) removeArchive(folder, file);
    return null;
  }
  return { archived, daily: daily.length, next };
}

/** Returns the start of the UTC day `ledgerDays` before today. */
export function archivedBefore(ledgerDays: number, now: number): number {
  return epochStart(epochAt(now) - ledgerDays);
}

function refuseElsewhere(folder: string, { file, sha256 }: { file: string; sha256: string }): void {
  const bytes = readArchive(folder, file);
  if (bytes && sha256Of(bytes) === sha256) return;
  throw new ArchiveElsewhere(
    `The newest archive of the ledger, ${file}, is ${bytes ? 'not as it was written' : 'not'} in ${folder}. Set retention.archiveDir to the folder with all archives, or move the archives here. Nothing was changed.`,
  );
}

async function collect(
  db: Database,
  { before, from, rowsMax }: Required<Omit<Archiving, 'folder'>>,
): Promise<{ daily: DailyRow[]; next: number }> {
  const daily: DailyRow[] = [];
  let rows = 0;
  for (let next = from; ;) {
    const accounts = await db
      .selectFrom('accounts')
      .select('id')
      .where('id', '>=', next)
      .orderBy('id')
      .limit(ACCOUNTS_PAGE)
      .execute();
    for (const { id } of accounts) {
      const slice = await collectAccount(db, id, before, rowsMax - rows);
      daily.push(...slice.daily);
      rows += slice.daily.reduce((sum, group) => sum + group.rows.length, 0);
      if (slice.isCut || rows >= rowsMax) return { daily, next: id };
      next = id + 1;
    }
    if (accounts.length < ACCOUNTS_PAGE) return { daily, next };
  }
}

/** Collects about `rowsMax` charges of an account, in whole days and calls. */
async function collectAccount(
  db: Database,
  accountId: number,
  before: number,
  rowsMax: number,
): Promise<{ daily: DailyRow[]; isCut: boolean }> {
  const archivable = sql`account_id = ${accountId} and created_at < ${before} and kind = 'CHARGE' and archive_id is null
    and request_id not in (select request_id from ledger where account_id = ${accountId} and kind = 'REFUND')
    and request_id not in (select request_id from video_requests where account_id = ${accountId})`;
  const { rows: times } = await sql<{
    created_at: number;
  }>`select created_at from ledger where ${archivable} order by created_at limit ${rowsMax}`.execute(db);
  const [first, last] = [times[0], times.at(-1)];
  if (!first || !last) return { daily: [], isCut: false };
  const isCut = times.length === rowsMax;
  const through = isCut ? wholeDays(first.created_at, last.created_at) : before - 1;
  // Adds the charges to their keys' sums before deletion, because these sums never count daily rows.
  await carryKeyUsage(db, accountId, before - 1);
  await turn();
  return { daily: dailyRowsOf(...(await stretchOf(db, accountId, archivable, through))), isCut };
}

/** Returns the end of the last whole day. If the first day is larger than a batch, returns the last row's time. */
function wholeDays(first: number, last: number): number {
  const start = epochStart(epochAt(last));
  return start > first ? start - 1 : last;
}

async function stretchOf(
  db: Database,
  accountId: number,
  archivable: RawBuilder<unknown>,
  through: number,
): Promise<[LedgerRow[], (row: LedgerRow) => boolean]> {
  const { rows: wanted } = await sql<{
    id: number;
  }>`select id from ledger where ${archivable} and created_at <= ${through}`.execute(db);
  const ids = new Set(wanted.map(({ id }) => id));
  const [lowest, highest] = wanted.reduce(
    ([low, high], { id }) => [Math.min(low, id), Math.max(high, id)],
    [Infinity, 0],
  );
  const rows = await db
    .selectFrom('ledger')
    .select([
      'id',
      'account_id',
      'pot',
      'kind',
      'amount',
      'balance_after',
      'api_key_id',
      'resource',
      'detail',
      'units',
      'request_id',
      'created_at',
    ])
    .where('account_id', '=', accountId)
    .where('id', '>=', lowest)
    .where('id', '<=', highest)
    .orderBy('id')
    .execute();
  return [rows, ({ id }) => !ids.has(id)];
}

/** Never yields: see ROWS_MAX. */
async function replaceRows(db: Database, archive: number, daily: readonly DailyRow[], expected: number): Promise<void> {
  const ids = daily.flatMap(({ rows }) => rows.map(({ id }) => id));
  let deleted = 0n;
  for (let start = 0; start < ids.length; start += DELETED_AT_ONCE) {
    deleted += (
      await db
        .deleteFrom('ledger')
        .where('id', 'in', ids.slice(start, start + DELETED_AT_ONCE))
        .executeTakeFirst()
    ).numDeletedRows;
  }
  if (Number(deleted) !== expected)
    throw new Error('Another process is archiving the same ledger rows. Nothing was changed.');
  for (let start = 0; start < daily.length; start += INSERTED_AT_ONCE)
    await insertDaily(db, archive, daily.slice(start, start + INSERTED_AT_ONCE));
}

/** Inserts the daily rows under existing ids. Postgres needs OVERRIDING SYSTEM VALUE for that. */
async function insertDaily(db: Database, archive: number, daily: readonly DailyRow[]): Promise<void> {
  const overriding = db.getExecutor().adapter instanceof PostgresAdapter ? sql`overriding system value` : sql``;
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
    ${overriding} values ${sql.join(rows)}`.execute(db);
}
