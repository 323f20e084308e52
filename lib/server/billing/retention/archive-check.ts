import { type Selectable, sql } from 'kysely';
import type { Database, Schema } from '../../db/schema';
import { epochAt } from '../rules/epoch';
import { type ArchivedRow, parseArchive, readArchive, sha256Of } from './archive-file';

type Archive = Selectable<Schema['ledger_archives']>;
type DailyRow = Selectable<Schema['ledger']>;

/**
 * Checks the database's records of archives: that their ids have no gaps, that each contains its predecessor's
 * checksum, and that the number and sum of their daily rows are correct.
 * @param since id of the last archive that an earlier check covered
 * @returns a sentence for each violation
 */
export async function archiveFaults(db: Database, since = 0): Promise<string[]> {
  const archives = await db.selectFrom('ledger_archives').selectAll().where('id', '>=', since).orderBy('id').execute();
  const { rows: kept } = await sql<{ archive_id: number; daily: number; amount: number }>`
    select archive_id, count(*) as daily, cast(sum(amount) as bigint) as amount from ledger where archive_id >= ${since} group by archive_id`.execute(
    db,
  );
  const byArchive = new Map(kept.map((row) => [row.archive_id, row]));
  const faults: string[] = [];
  archives.forEach(({ id, previous_sha256: previous, daily_rows: daily, amount }, index) => {
    const before = archives[index - 1];
    if (index === 0 && id === since) return void byArchive.delete(id);
    if (id !== (before?.id ?? 0) + 1) faults.push(`archive ${id}: the archive before it is missing from the list`);
    else if (previous !== (before?.sha256 ?? ''))
      faults.push(`archive ${id}: it does not follow the archive ${id - 1} of the list`);
    const found = byArchive.get(id);
    if (Number(found?.daily ?? 0) !== daily || Number(found?.amount ?? 0) !== amount) {
      faults.push(
        `archive ${id}: ${daily} daily rows of ${amount} nano-USD replaced it, but the ledger has ${found?.daily ?? 0} of ${found?.amount ?? 0}`,
      );
    }
    byArchive.delete(id);
  });
  for (const id of byArchive.keys())
    faults.push(`archive ${id}: the ledger has its daily rows, but the list of archives does not contain it`);
  return faults;
}

/**
 * Checks a folder's archive files: their checksums, their references to the previous file, and the number, units and
 * sum of their charges.
 * @param since id of the last archive that an earlier check covered
 * @returns a sentence for each violation
 */
export async function archiveFileFaults(db: Database, folder: string, since = 0): Promise<string[]> {
  const archives = await db.selectFrom('ledger_archives').select('id').where('id', '>', since).orderBy('id').execute();
  const faults: string[] = [];
  for (const { id } of archives) {
    const { archive, daily } = await readTogether(db, id);
    faults.push(...fileFaults(archive, daily, folder).map((fault) => `archive ${id}, ${archive.file}: ${fault}`));
  }
  return faults;
}

/** Reads both in one snapshot, because archiving in steps changes both. */
function readTogether(db: Database, id: number): Promise<{ archive: Archive; daily: DailyRow[] }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => ({
      archive: await snapshot.selectFrom('ledger_archives').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      daily: await snapshot.selectFrom('ledger').selectAll().where('archive_id', '=', id).execute(),
    }));
}

function fileFaults(archive: Archive, daily: readonly DailyRow[], folder: string): string[] {
  const bytes = readArchive(folder, archive.file);
  if (!bytes) return [`the file is not in ${folder}`];
  const faults =
    sha256Of(bytes) === archive.sha256 ? [] : ['the file has changed since it was written: its checksum differs'];
  let content: ReturnType<typeof parseArchive>;
  try {
    content = parseArchive(bytes);
  } catch (error) {
    return [...faults, `the file cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
  const { header, rows } = content;
  if (header.archive !== archive.id || header.previousSha256 !== archive.previous_sha256)
    faults.push('its header refers to another archive, or to another predecessor');
  // If archiving was interrupted, the file contains rows that are still in the ledger, or in a later archive.
  const dailyIds = new Set(daily.map(({ id }) => id));
  const replaced = rows.length > archive.archived_rows ? rows.filter(({ into }) => dailyIds.has(into)) : rows;
  if (replaced.length !== archive.archived_rows || header.rows !== rows.length)
    faults.push(`${archive.archived_rows} rows were archived, but it has ${replaced.length}`);
  return [...faults, ...contentFaults(replaced, daily)];
}

function contentFaults(rows: readonly ArchivedRow[], daily: readonly DailyRow[]): string[] {
  const byDaily = groupedBy(rows, ({ into }) => into);
  const faults: string[] = [];
  const calls = callsOf(rows);
  for (const row of daily) {
    const archived = byDaily.get(row.id) ?? [];
    byDaily.delete(row.id);
    const amount = archived.reduce((sum, each) => sum + each.amount, 0);
    const counted = calls.get(row.id) ?? { calls: 0, units: 0 };
    const isAlike = archived.every(
      (each) =>
        each.account_id === row.account_id &&
        each.pot === row.pot &&
        each.resource === row.resource &&
        each.api_key_id === row.api_key_id &&
        epochAt(each.created_at) === epochAt(row.created_at),
    );
    if (amount !== row.amount || counted.calls !== row.calls || counted.units !== row.units || !isAlike) {
      faults.push(
        `ledger row ${row.id} replaces ${row.calls} calls, ${row.units} units and ${row.amount} nano-USD, but the file has ${counted.calls}, ${counted.units} and ${amount}${isAlike ? '' : ', some of other accounts, pots, resources, keys or days'}`,
      );
    }
  }
  for (const id of byDaily.keys()) faults.push(`it has rows for ledger row ${id}, which is not one of its daily rows`);
  return faults;
}

function callsOf(rows: readonly ArchivedRow[]): Map<number, { calls: number; units: number }> {
  const counted = new Map<number, { calls: number; units: number }>();
  for (const call of groupedBy(rows, (row) => `${row.account_id} ${row.created_at} ${row.request_id}`).values()) {
    const into = (call[0] as ArchivedRow).into;
    const sum = counted.get(into) ?? { calls: 0, units: 0 };
    counted.set(into, { calls: sum.calls + 1, units: sum.units + Math.max(...call.map(({ units }) => units)) });
  }
  return counted;
}

function groupedBy<Key>(rows: readonly ArchivedRow[], keyOf: (row: ArchivedRow) => Key): Map<Key, ArchivedRow[]> {
  const groups = new Map<Key, ArchivedRow[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
