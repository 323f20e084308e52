import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KyselyPlugin, sql } from 'kysely';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { backUp, restore } from '../../db/sqlite/copies';
import { openPostgres } from '../../db/postgres/open';
import { openSqlite } from '../../db/sqlite/open';
import type { Database } from '../../db/schema';
import { checkLedger } from '../ledger-check';
import { GROUPINGS, potMovements, sumCharges } from '../usage/sum-charges';
import { BundledProgram } from '@/test/bundled-program';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { PostgresBooks } from '@/test/postgres-books';
import type { SqliteBooks } from '@/test/sqlite-books';
import { tempFolder } from '@/test/temp-folder';
import { archiveFileFaults } from './archive-check';
import { parseArchive } from './archive-file';
import { archiveBatch } from './archive-ledger';
import { nextRange, slicesOf } from './archivable-rows';
import type { DailyRow } from './daily-rows';
import { archiveLedger } from './ledger-archiver';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 7, 1);
const DAYS = 3;
const BEFORE = START + DAYS * DAY_MS;
const STEP_ROWS = 12;

interface Days {
  books: MeteredStore;
  account: number;
  folder: string;
}

/** Creates days of an account whose charges alternate between resources and keys. Some have two balances. */
async function someDays(open: () => Promise<MeteredStore>): Promise<Days> {
  const books = await open();
  vi.setSystemTime(START);
  const account = await books.account({ usd: 10_000, bundled: 200 });
  const keys = [await books.key(account), await books.key(account)];
  for (let day = 0; day < DAYS; day++)
    for (let call = 0; call < 16; call++) {
      vi.setSystemTime(START + day * DAY_MS + call * 60_000);
      const key = keys[call >> 3];
      await books.charge(books.request(account, 7, { ...(key && { key }) }), { resource: `rpc/${call % 2}` });
    }
  vi.setSystemTime(BEFORE + 9 * DAY_MS);
  return { books, account, folder: join(tempFolder(), 'archive') };
}

const told = async (db: Database, accountId: number): Promise<unknown> => {
  const period = { accountId, from: START, until: BEFORE };
  return [
    await db.selectFrom('meters').selectAll().where('account_id', '=', accountId).execute(),
    await Promise.all(GROUPINGS.map((grouping) => sumCharges(db, period, grouping))),
    await potMovements(db, period),
  ];
};

async function slicesIn(db: Database): Promise<DailyRow[][]> {
  const slices: DailyRow[][] = [];
  const range = await nextRange(db, { afterId: 0, before: BEFORE });
  for await (const slice of slicesOf(db, range, STEP_ROWS)) slices.push(slice.daily);
  return slices;
}

const faultsIn = async (db: Database, folder: string): Promise<string[]> => [
  ...(await checkLedger(db)).faults,
  ...(await archiveFileFaults(db, folder)),
];

/** Returns the ids of all charges, in the ledger and in archives that replaced them. */
async function chargesIn(db: Database, folder: string): Promise<number[]> {
  const rows = await db.selectFrom('ledger').select(['id', 'archive_id', 'kind']).execute();
  const archiveOf = new Map(rows.map(({ id, archive_id: archive }) => [id, archive]));
  const kept = rows.flatMap(({ id, kind, archive_id: archive }) => (kind === 'CHARGE' && archive === null ? [id] : []));
  const archives = await db.selectFrom('ledger_archives').select(['id', 'file']).execute();
  const archived = archives.flatMap((archive) =>
    parseArchive(readFileSync(join(folder, archive.file))).rows.flatMap(({ id, into }) =>
      archiveOf.get(into) === archive.id ? [id] : [],
    ),
  );
  return [...kept, ...archived].sort((left, right) => left - right);
}

/** Archives, and is killed before a statement. The last arguments name its kind of Kysely node, table and number. */
const KILLED = `
  import { openPostgres } from '@/lib/server/db/postgres/open';
  import { openSqlite } from '@/lib/server/db/sqlite/open';
  import { archiveLedger } from '@/lib/server/billing/retention/ledger-archiver';
  const [kind, place, folder, before, stepRows, node, table, nth] = process.argv.slice(2);
  const { db } = kind === 'postgres' ? await openPostgres({ reveal: () => place }) : await openSqlite(place, { exclusive: false });
  let left = Number(nth);
  const killing = {
    transformQuery: ({ node: query }) => {
      if (query.kind === node && JSON.stringify(query.into ?? query.from ?? query.table).includes('"' + table + '"') && --left === 0)
        process.kill(process.pid, 'SIGKILL');
      return query;
    },
    transformResult: async ({ result }) => result,
  };
  await archiveLedger(db.withPlugin(killing), { folder, before: Number(before), stepRows: Number(stepRows) });
  process.exit(0);
`;

describeStores('Between two steps of archiving', (open) => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
  afterEach(() => void vi.useRealTimers());

  it('the books are right, calls are charged, and everybody is told the same', async () => {
    const { books, account, folder } = await someDays(open);
    const { db } = books.store;
    const [before, charges] = [await told(db, account), await chargesIn(db, folder)];
    const seen: unknown[] = [];
    const slices = await slicesIn(db);
    const rest = async (): Promise<void> => {
      seen.push([await faultsIn(db, folder), await told(db, account), await chargesIn(db, folder)]);
    };
    expect(await archiveBatch(db, { folder, before: BEFORE, stepRows: STEP_ROWS, rest }, slices)).toBe(true);
    await rest();
    expect(seen.length).toBeGreaterThan(3);
    for (const state of seen) expect(state).toEqual([[], before, charges]);
  });

  it('a check of the files in another process finds no fault', async () => {
    const { books, folder } = await someDays(open);
    const { db } = books.store;
    let release: () => void = () => undefined;
    let isOver = false;
    const steps = new EventEmitter();
    const rest = (): Promise<void> => {
      steps.emit('rested');
      return isOver ? Promise.resolve() : new Promise((resolve) => (release = resolve));
    };
    const slices = await slicesIn(db);
    const firstRest = once(steps, 'rested');
    const archiving = archiveBatch(db, { folder, before: BEFORE, stepRows: STEP_ROWS, rest }, slices);
    await firstRest;
    const step = async (): Promise<void> => {
      const rested = once(steps, 'rested');
      release();
      await Promise.race([rested, archiving]);
    };
    const other =
      books instanceof PostgresBooks
        ? await openPostgres({ reveal: () => books.url })
        : await openSqlite((books as SqliteBooks).dataDir, { exclusive: false });
    onTestFinished(() => other.close());
    const stepping: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => (await step(), result),
    };
    expect(await archiveFileFaults(other.db.withPlugin(stepping), folder)).toEqual([]);
    isOver = true;
    release();
    expect(await archiving).toBe(true);
  });

  it.each([
    ['has just begun', 'UpdateQueryNode', 'ledger_archives', 1],
    ['is about to be committed', 'DeleteQueryNode', 'ledger_archiving', 2],
  ])(
    'kill -9 loses and doubles nothing, whenever it comes: a step %s, and each run ends at its second step',
    async (_when, node, table, nth) => {
      const { books, account, folder } = await someDays(open);
      const { db } = books.store;
      const [before, charges] = [await told(db, account), await chargesIn(db, folder)];
      const program = await BundledProgram.make({ text: KILLED });
      onTestFinished(() => program.remove());
      const place =
        books instanceof PostgresBooks ? ['postgres', books.url] : ['sqlite', (books as SqliteBooks).dataDir];
      let kills = 0;
      for (let isKilled = true; isKilled;) {
        const child = program.start([...place, folder, String(BEFORE), String(STEP_ROWS), node, table, String(nth)]);
        const ended = await new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
        isKilled = ended === 'SIGKILL';
        expect(ended).toBe(isKilled ? 'SIGKILL' : 0);
        kills += Number(isKilled);
        expect([await faultsIn(db, folder), await told(db, account), await chargesIn(db, folder)]).toEqual([
          [],
          before,
          charges,
        ]);
      }
      expect(kills).toBeGreaterThan(2);
      const left = db.selectFrom('ledger').select('id').where('kind', '=', 'CHARGE').where('archive_id', 'is', null);
      expect(await left.execute()).toEqual([]);
    },
    90_000,
  );

  it('a backup is sound, and archiving goes on from it', async () => {
    const { books, account, folder } = await someDays(open);
    if (books instanceof PostgresBooks) return;
    const { db } = books.store;
    const [before, charges] = [await told(db, account), await chargesIn(db, folder)];
    const file = join(tempFolder(), 'copy.db');
    const slices = await slicesIn(db);
    let steps = 0;
    const rest = async (): Promise<void> => {
      if (++steps === 2) await backUp(db, file, async (copy) => (await checkLedger(copy)).faults);
    };
    await archiveBatch(db, { folder, before: BEFORE, stepRows: STEP_ROWS, rest }, slices);
    const dataDir = tempFolder();
    await restore(dataDir, file, async (copy) => (await checkLedger(copy)).faults);
    const restored = await openSqlite(dataDir, { exclusive: false });
    onTestFinished(() => restored.close());
    const stateOf = async () => [
      await faultsIn(restored.db, folder),
      await told(restored.db, account),
      await chargesIn(restored.db, folder),
    ];
    expect(await stateOf()).toEqual([[], before, charges]);
    expect(await archiveLedger(restored.db, { folder, before: BEFORE, stepRows: STEP_ROWS })).toMatchObject({
      archives: 1,
    });
    expect(await stateOf()).toEqual([[], before, charges]);
  });

  it('another gateway archives the rest, and the first one gives up', async () => {
    const { books, account, folder } = await someDays(open);
    const [{ db }, other] = [books.store, await books.connect()];
    const [before, charges] = [await told(db, account), await chargesIn(db, folder)];
    const slices = await slicesIn(db);
    const rest = async (): Promise<void> => {
      await archiveLedger(other, { folder, before: BEFORE, stepRows: STEP_ROWS });
    };
    expect(await archiveBatch(db, { folder, before: BEFORE, stepRows: STEP_ROWS, rest }, slices)).toBe(false);
    expect([await faultsIn(db, folder), await told(db, account), await chargesIn(db, folder)]).toEqual([
      [],
      before,
      charges,
    ]);
  });

  it('a reader of a whole period is told right sums, though a step comes between its statements', async () => {
    const { books, account, folder } = await someDays(open);
    const [{ db }, other] = [books.store, await books.connect()];
    // No grant is the first row of this period.
    const period = { accountId: account, from: START + DAY_MS, until: BEFORE };
    const before = await potMovements(db, period);
    let sums = 0;
    const reading = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.some((row) => 'first' in row) && ++sums === DAYS - 1)
          await archiveLedger(other, { folder, before: BEFORE, stepRows: STEP_ROWS });
        return result;
      },
    });
    expect(await potMovements(reading, period)).toEqual(before);
    expect(sums).toBeGreaterThan(DAYS - 1);
  });

  it('a failure leaves the connection as it was: its commits wait for the disk, and it waits for locks', async () => {
    const { books, folder } = await someDays(open);
    if (books instanceof PostgresBooks) return;
    const { db } = books.store;
    const settings = async () =>
      Promise.all(['synchronous', 'busy_timeout'].map((name) => sql.raw(`pragma ${name}`).execute(db)));
    const before = await settings();
    let updates = 0;
    const failing = db.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === 'UpdateQueryNode' && ++updates === 2) throw new Error('no space');
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    await expect(archiveLedger(failing, { folder, before: BEFORE, stepRows: STEP_ROWS })).rejects.toThrow('no space');
    expect([await settings(), await faultsIn(db, folder)]).toEqual([before, []]);
    await archiveLedger(db, { folder, before: BEFORE, stepRows: STEP_ROWS });
    expect([await settings(), await faultsIn(db, folder)]).toEqual([before, []]);
  });
});
