import { join } from 'node:path';
import { CompiledQuery, type RootOperationNode, sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '../../db/schema';
import { checkLedger, checkSinceProof, proveWhole } from '../ledger-check';
import { saveProof } from '../ledger-proof';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { PostgresBooks } from '@/test/postgres-books';
import { refillSums } from '@/test/refill-sums';
import { tempFolder } from '@/test/temp-folder';
import { nextRange } from './archivable-rows';
import { archiveFileFaults } from './archive-check';
import { archiveLedger } from './ledger-archiver';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 7, 1);
const OPENING = 1_000_000;

/** Adds an account with charges of 1 nano-USD at these times, in this order. */
async function charged({ store: { db } }: MeteredStore, account: number, times: readonly number[]): Promise<void> {
  const [{ spent = 0 } = {}] = (
    await sql<{
      spent: number;
    }>`select cast(${OPENING} - min(balance_after) as bigint) as spent from ledger where account_id = ${account}`.execute(
      db,
    )
  ).rows;
  const rows = times.map((at, index) => ({
    account_id: account,
    pot: 'usd' as const,
    kind: 'CHARGE' as const,
    amount: -1,
    balance_after: OPENING - Number(spent ?? 0) - index - 1,
    api_key_id: null,
    resource: 'rpc/test',
    detail: 'm',
    units: 20,
    request_id: `r${account}-${Number(spent ?? 0) + index}`,
    created_at: at,
  }));
  for (let start = 0; start < rows.length; start += 500)
    await db
      .insertInto('ledger')
      .values(rows.slice(start, start + 500))
      .execute();
  await db
    .updateTable('meters')
    .set({ usd: OPENING - Number(spent ?? 0) - times.length })
    .where('account_id', '=', account)
    .execute();
  await refillSums(db);
}

/** Returns evenly spread times of a day. */
const timesOf = (day: number, count: number): number[] =>
  Array.from({ length: count }, (_none, index) => START + day * DAY_MS + Math.floor((index * DAY_MS) / count));

/** Returns a database that collects its statements and counts the rows that they return. */
function counted(db: Database): { db: Database; seen: { statements: RootOperationNode[]; rows: number } } {
  const seen: { statements: RootOperationNode[]; rows: number } = { statements: [], rows: 0 };
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      seen.statements.push(node);
      return node;
    },
    transformResult: ({ result }) => {
      seen.rows += result.rows.length;
      return Promise.resolve(result);
    },
  });
  return { db: counting, seen };
}

async function faultsOf({ store: { db } }: MeteredStore, folder: string): Promise<string[]> {
  return [...(await checkLedger(db)).faults, ...(await archiveFileFaults(db, folder))];
}

const folderOf = (): string => join(tempFolder(), 'archive');

/** Returns SQLite's plan for each of these statements. */
async function plansOf(db: Database, statements: readonly RootOperationNode[]): Promise<string[]> {
  const executor = db.getExecutor();
  const plans: string[] = [];
  for (const node of statements) {
    const { sql: text, parameters } = executor.compileQuery(node, { queryId: 'plan' });
    if (!/^\s*(select|with)/.test(text)) continue;
    const { rows } = await executor.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
    );
    plans.push(...rows.map(({ detail }) => detail));
  }
  return plans;
}

describeStores('Archiving', (open) => {
  it('reads rows that are new, and neither idle accounts nor what was archived before', async () => {
    const books = await open();
    const folder = folderOf();
    const accounts: number[] = [];
    for (let index = 0; index < 30; index++) accounts.push(await books.account({ usd: OPENING }));
    for (let day = 0; day < 5; day++) for (const account of accounts) await charged(books, account, timesOf(day, 4));
    await archiveLedger(books.store.db, { folder, before: START + 5 * DAY_MS });
    const active = accounts[7] as number;
    await charged(books, active, timesOf(5, 9));
    const { db, seen } = counted(books.store.db);
    expect(await archiveLedger(db, { folder, before: START + 6 * DAY_MS })).toEqual({ archives: 1, rows: 9, daily: 1 });
    // Each charge is read twice: to find it and to sum it.
    expect(seen.rows).toBeLessThan(2 * 9 + 20);
    expect(seen.statements.length).toBeLessThan(40);
    const again = counted(books.store.db);
    expect(await archiveLedger(again.db, { folder, before: START + 6 * DAY_MS })).toMatchObject({ archives: 0 });
    expect([again.seen.statements.length, await faultsOf(books, folder)]).toEqual([1, []]);
  });

  it('reads each row a few times at most, however many batches an account needs', async () => {
    const work: { rows: number; statements: number }[] = [];
    for (const days of [10, 20]) {
      const books = await open();
      const folder = folderOf();
      const account = await books.account({ usd: OPENING });
      for (let day = 0; day < days; day++) await charged(books, account, timesOf(day, 30));
      const { db, seen } = counted(books.store.db);
      const done = await archiveLedger(db, { folder, before: START + days * DAY_MS, rowsMax: 40 });
      expect(done).toMatchObject({ rows: days * 30, daily: days });
      expect(await faultsOf(books, folder)).toEqual([]);
      work.push({ rows: seen.rows / days, statements: seen.statements.length / days });
    }
    const [small, large] = work;
    expect(large?.rows).toBeLessThan((small?.rows ?? 0) * 1.1);
    expect(large?.statements).toBeLessThan((small?.statements ?? 0) * 1.1);
    expect(large?.rows).toBeLessThan(30 * 4);
  });

  it('finds the rows of whole days, range by range, and goes on after the last finished range', async () => {
    const books = await open();
    const { db } = books.store;
    const folder = folderOf();
    const [one, other] = [await books.account({ usd: OPENING }), await books.account({ usd: OPENING })];
    for (let day = 0; day < 6; day++)
      for (const account of day % 2 ? [one] : [one, other]) await charged(books, account, timesOf(day, 5));
    const before = START + 5 * DAY_MS;
    const found: unknown[] = [];
    for (let afterId = 0, isLast = false; !isLast;) {
      const range = await nextRange(db, { afterId, before, rangeRows: 7 });
      found.push([(range.before - START) / DAY_MS, [...range.oldestOf.keys()].sort((a, b) => a - b)]);
      ({ throughId: afterId, isLast } = range);
    }
    expect(found).toEqual([
      [1, [one, other]],
      [3, [one, other]],
      [5, [one, other]],
    ]);
    // The run breaks off after the second range.
    const broken = db.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === 'UpdateQueryNode' && JSON.stringify(node.table).includes('ledger_archive_place'))
          throw new Error('broken off');
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    await expect(archiveLedger(broken, { folder, before, rangeRows: 7 })).rejects.toThrow('broken off');
    const place = await db.selectFrom('ledger_archive_place').select('before_at').executeTakeFirst();
    expect(place?.before_at).toBe(START + DAY_MS);
    await archiveLedger(db, { folder, before, rangeRows: 7 });
    expect(await faultsOf(books, folder)).toEqual([]);
    const left = await db
      .selectFrom('ledger')
      .select('created_at')
      .where('kind', '=', 'CHARGE')
      .where('archive_id', 'is', null)
      .execute();
    expect(left.map(({ created_at: at }) => at)).toEqual(timesOf(5, 5));
  });

  it('reads a range again until the videos of its charges are deleted', async () => {
    const books = await open();
    const { db } = books.store;
    const folder = folderOf();
    const account = await books.account({ usd: OPENING });
    await charged(books, account, timesOf(0, 3));
    const video = {
      id: 'v',
      account_id: account,
      model: 'm',
      upstream: 'u',
      content: '{}',
      price: 1,
      state: 'COMPLETED' as const,
    };
    await db
      .insertInto('video_requests')
      .values({ ...video, request_id: `r${account}-1`, next_look_at: 0, created_at: START })
      .execute();
    const archiving = { folder, before: START + DAY_MS };
    expect((await archiveLedger(db, archiving)).rows).toBe(2);
    expect((await archiveLedger(db, archiving)).rows).toBe(0);
    await db.deleteFrom('video_requests').execute();
    expect((await archiveLedger(db, archiving)).rows).toBe(1);
    expect(await faultsOf(books, folder)).toEqual([]);
  });

  it('keeps the books right where a clock stepped back over the end of a range', async () => {
    const books = await open();
    const folder = folderOf();
    const account = await books.account({ usd: OPENING });
    const midnight = START + DAY_MS;
    await charged(books, account, [midnight - 50, midnight + 10, midnight + 20, midnight - 40, midnight + 30]);
    expect((await archiveLedger(books.store.db, { folder, before: midnight })).rows).toBe(2);
    expect(await faultsOf(books, folder)).toEqual([]);
    expect((await archiveLedger(books.store.db, { folder, before: midnight + DAY_MS })).rows).toBe(3);
    expect(await faultsOf(books, folder)).toEqual([]);
  });

  it('and the check of the ledger never search an account for a row, and find rows by an index', async () => {
    const books = await open();
    if (books instanceof PostgresBooks) return;
    const folder = folderOf();
    const account = await books.account({ usd: OPENING });
    await charged(books, account, timesOf(0, 30));
    const { db, seen } = counted(books.store.db);
    await archiveLedger(db, { folder, before: START + DAY_MS, rowsMax: 10 });
    const archiving = await plansOf(books.store.db, seen.statements.splice(0));
    expect(archiving.filter((plan) => plan.startsWith('SCAN ledger_rows'))).toEqual([]);
    const ofLedger = archiving.filter((plan) => /^SEARCH ledger_rows /.test(plan));
    expect(new Set(ofLedger)).toEqual(
      new Set([
        'SEARCH ledger_rows USING INTEGER PRIMARY KEY (rowid>?)',
        'SEARCH ledger_rows USING INDEX ledger_by_account (account_id=? AND created_at>? AND created_at<?)',
        'SEARCH ledger_rows USING INDEX ledger_of_refunds (request_id=?)',
      ]),
    );
    await checkLedger(db);
    await archiveFileFaults(db, folder);
    const checking = await plansOf(books.store.db, seen.statements);
    expect(checking.filter((plan) => /ledger_by_account \(account_id/.test(plan))).toEqual([]);
    expect(checking).toContain('SEARCH ledger_rows USING INDEX ledger_of_archives (archive_id=?)');
    expect(checking.some((plan) => /^SEARCH v USING INDEX sqlite_autoindex_video_requests/.test(plan))).toBe(true);
    await saveProof(db, (await proveWhole(db)).proof);
    seen.statements.splice(0);
    await checkSinceProof(db);
    const sinceProof = await plansOf(books.store.db, seen.statements);
    // Reads the newest rows until one is old enough.
    expect(sinceProof.filter((plan) => /^SCAN (l|ledger_rows)\b(?! USING INDEX ledger_of)/.test(plan))).toEqual([
      'SCAN ledger_rows',
    ]);
  });
});
