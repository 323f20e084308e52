import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { readKeyUsage } from '../../db/key-usage';
import { creditWithin } from '../../db/credits';
import { POTS } from '../../db/schema';
import { checkLedger } from '../ledger-check';
import { epochAt, epochStart } from '../rules/epoch';
import { GROUPINGS, potMovements, sumCharges } from '../usage/sum-charges';
import { BundledProgram } from '@/test/bundled-program';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { PostgresBooks } from '@/test/postgres-books';
import type { SqliteBooks } from '@/test/sqlite-books';
import { tempFolder } from '@/test/temp-folder';
import { archiveFileFaults } from './archive-check';
import { parseArchive, sha256Of } from './archive-file';
import { archiveBatch, archivedBefore, ArchiveElsewhere } from './archive-ledger';
import { nextRange, slicesOf } from './archivable-rows';
import type { DailyRow, LedgerRow } from './daily-rows';
import { archiveLedger } from './ledger-archiver';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 7, 1, 6);
const DAYS = 20;
const KEPT_DAYS = 8;
const RESOURCES = ['rpc/ethereum-mainnet', 'rpc/base-mainnet', 'chat/model'] as const;

/** Returns a generator of numbers from 0 to 1. Equal seeds give equal numbers. */
function random(seed: number): () => number {
  return () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return seed / 4_294_967_296;
  };
}

interface History {
  books: MeteredStore;
  accounts: number[];
  folder: string;
}

/**
 * Creates twenty days of three accounts: charges over several balances by keys and sign-ins, top-ups, and allocations
 * that expire.
 */
async function history(open: () => Promise<MeteredStore>, seed: number): Promise<History> {
  const next = random(seed);
  const books = await open();
  vi.setSystemTime(START);
  const accounts = [
    await books.account({ usd: 50, bundled: 20 }),
    await books.account({ usd: 500 }),
    await books.account({ x402: 300, usd: 1 }),
  ];
  const keys = await Promise.all(accounts.map((account) => Promise.all([books.key(account), books.key(account)])));
  for (let day = 0; day < DAYS; day++) {
    const times = Array.from(
      { length: 6 },
      () => START + day * DAY_MS + Math.floor(next() * (DAY_MS - 8 * 3_600_000)),
    ).sort((left, right) => left - right);
    for (const at of times) {
      vi.setSystemTime(Math.max(at, Date.now() + 1));
      const index = Math.floor(next() * accounts.length);
      const account = accounts[index] as number;
      const what = next();
      if (what < 0.1) await books.allocate(account, 1 + Math.floor(next() * 9));
      else if (what < 0.2)
        await books.store.db.transaction().execute((transaction) =>
          creditWithin(transaction, {
            accountId: account,
            pot: next() < 0.5 ? 'usd' : 'x402',
            kind: 'GRANT',
            amountNanoUsd: 30,
            detail: '',
            requestId: '',
          }),
        );
      else {
        const key = next() < 0.7 ? keys[index]?.[next() < 0.5 ? 0 : 1] : undefined;
        const purse = key ? 'account' : next() < 0.5 ? 'x402' : 'account';
        const amount = 1 + Math.floor(next() * 12);
        const reserved = await books.reserve(
          books.request(account, amount, {
            ...(key && { key }),
            ...(purse === 'x402' && { caller: { accountId: account, apiKeyId: null, purse } }),
          }),
        );
        if (reserved.outcome === 'admitted')
          await books.settle(reserved.reservation, amount, {
            resource: RESOURCES[Math.floor(next() * 3)] as string,
            units: 5 + Math.floor(next() * 20),
          });
      }
    }
  }
  vi.setSystemTime(START + DAYS * DAY_MS);
  return { books, accounts, folder: join(tempFolder(), 'archive') };
}

/** Returns all figures that callers and operators see. Archiving must not change them. */
async function told({ books, accounts }: History): Promise<unknown> {
  const { db } = books.store;
  const [from, until] = [epochStart(epochAt(START)), epochStart(epochAt(START) + DAYS + 1)];
  const days = Array.from({ length: DAYS + 1 }, (_none, day) => ({
    from: from + day * DAY_MS,
    until: from + (day + 1) * DAY_MS,
  }));
  return Promise.all(
    accounts.map(async (accountId) => ({
      balances: await books.balances(accountId),
      sums: await Promise.all(GROUPINGS.map((grouping) => sumCharges(db, { accountId, from, until }, grouping))),
      movements: await potMovements(db, { accountId, from, until }),
      byDay: await Promise.all(days.map((day) => potMovements(db, { accountId, ...day }))),
      keys: await (async () => {
        const usage = await readKeyUsage(db, accountId);
        const keys = await db
          .selectFrom('api_keys')
          .select(['id', 'limit_period as limitPeriod'])
          .where('account_id', '=', accountId)
          .orderBy('id')
          .execute();
        return keys.map((key) => usage.of(key));
      })(),
    })),
  );
}

const archiveAll = ({ books, folder }: History, rowsMax?: number) =>
  archiveLedger(books.store.db, {
    folder,
    before: archivedBefore(KEPT_DAYS, Date.now()),
    ...(rowsMax !== undefined && { rowsMax }),
  });
const faultsOf = async ({ books, folder }: History) => [
  ...(await checkLedger(books.store.db)).faults,
  ...(await archiveFileFaults(books.store.db, folder)),
];
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.gz'))
    .sort();
const rowsOf = async ({ books }: History): Promise<LedgerRow[]> =>
  books.store.db
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
    .orderBy('id')
    .execute();

/**
 * Program that archives, and is killed before one statement of the transaction. Its arguments name a kind of Kysely
 * node and a table.
 */
const KILLED = `
  import { openPostgres } from '@/lib/server/db/postgres/open';
  import { openSqlite } from '@/lib/server/db/sqlite/open';
  import { archiveLedger } from '@/lib/server/billing/retention/ledger-archiver';
  const [kind, place, folder, before, node, table] = process.argv.slice(2);
  const { db } = kind === 'postgres' ? await openPostgres({ reveal: () => place }) : await openSqlite(place, { exclusive: false });
  const killing = {
    transformQuery: ({ node: query }) => {
      if (query.kind === node && JSON.stringify(query.into ?? query.from).includes('"' + table + '"')) process.kill(process.pid, 'SIGKILL');
      return query;
    },
    transformResult: async ({ result }) => result,
  };
  await archiveLedger(db.withPlugin(killing), { folder, before: Number(before) });
  process.stderr.write('It was not killed.');
`;

describeStores('charges of long ago', (open) => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
  afterEach(() => void vi.useRealTimers());

  it.each([1, 2, 3])(
    'become daily rows, and every balance, sum and movement that anybody is told stays the same (history %i)',
    async (seed) => {
      const told_ = await history(open, seed);
      const [before, rows] = [await told(told_), await rowsOf(told_)];
      const done = await archiveAll(told_, seed === 1 ? undefined : 7 * seed);
      expect(done.rows).toBeGreaterThan(20);
      expect(await told(told_)).toEqual(before);
      expect(await faultsOf(told_)).toEqual([]);
      // The archived rows and the remaining rows together equal the ledger as it was before.
      const archived = filesIn(told_.folder).flatMap((name) =>
        parseArchive(readFileSync(join(told_.folder, name))).rows.map(({ into: _into, ...row }) => row),
      );
      const left = await told_.books.store.db
        .selectFrom('ledger')
        .select('id')
        .where('archive_id', 'is', null)
        .execute();
      const isLeft = new Set(left.map(({ id }) => id));
      const limit = archivedBefore(KEPT_DAYS, Date.now());
      expect([...rows.filter(({ id }) => isLeft.has(id)), ...archived].sort((a, b) => a.id - b.id)).toEqual(rows);
      expect(archived.every(({ kind, created_at: at }) => kind === 'CHARGE' && at < limit)).toBe(true);
      expect(rows.filter((row) => row.kind === 'CHARGE' && row.created_at < limit)).toHaveLength(archived.length);
      expect(await archiveAll(told_)).toEqual({ archives: 0, rows: 0, daily: 0 });
      // The ledger continues with later charges, and another day is archived.
      vi.setSystemTime(Date.now() + 4 * DAY_MS);
      await told_.books.charge(told_.books.request(told_.accounts[1] as number, 5));
      await archiveAll(told_);
      expect(await faultsOf(told_)).toEqual([]);
      for (const accountId of told_.accounts)
        for (const pot of POTS) expect((await told_.books.balances(accountId))[pot]).toBeGreaterThanOrEqual(0);
    },
  );

  it('are in the ledger or in an archive that the database knows, whenever archiving breaks off', async () => {
    const cut = await history(open, 4);
    const { db } = cut.books.store;
    const before = await rowsOf(cut);
    // The file was written but the transaction was not committed, because the process died or the disk was full.
    const fails =
      cut.books instanceof PostgresBooks
        ? "create function broken() returns trigger language plpgsql as $$ begin raise exception 'no space'; end $$; create trigger breaks before insert on ledger_rows for each row execute function broken()"
        : "create trigger breaks before insert on ledger_rows when new.archive_id is not null begin select raise(abort, 'no space'); end";
    await sql.raw(fails).execute(db);
    await expect(archiveAll(cut)).rejects.toThrow('no space');
    expect([
      await rowsOf(cut),
      await db.selectFrom('ledger_archives').selectAll().execute(),
      await db.selectFrom('ledger_archiving').selectAll().execute(),
    ]).toEqual([before, [], []]);
    expect(filesIn(cut.folder)).toHaveLength(1);
    expect(await faultsOf(cut)).toEqual([]);
    await sql.raw(`drop trigger breaks${cut.books instanceof PostgresBooks ? ' on ledger_rows' : ''}`).execute(db);
    expect((await archiveAll(cut)).archives).toBe(1);
    expect(await faultsOf(cut)).toEqual([]);
    // Without a row in ledger_archiving, no ledger row can be deleted. With one, only charges that are old enough can.
    for (const table of ['ledger', 'ledger_rows', 'ledger_names'])
      await expect(sql.raw(`delete from ${table}`).execute(db)).rejects.toThrow('append-only');
    const within = (before: number, condition: string) =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('ledger_archiving').values({ before_at: before }).execute();
        await sql.raw(`delete from ledger_rows where ${condition}`).execute(transaction);
      });
    await expect(within(Date.now(), "kind <> 'CHARGE'")).rejects.toThrow('append-only');
    await expect(within(START, "kind = 'CHARGE'")).rejects.toThrow('append-only');
    expect(await faultsOf(cut)).toEqual([]);
    vi.setSystemTime(Date.now() + 5 * DAY_MS);
    const rows = await rowsOf(cut);
    writeFileSync(join(cut.folder, '..', 'file'), '');
    await expect(archiveAll({ ...cut, folder: join(cut.folder, '..', 'file') })).rejects.toThrow();
    expect(await rowsOf(cut)).toEqual(rows);
  });

  it.each([
    ['when the file is written and the transaction has just begun', 'InsertQueryNode', 'ledger_archives'],
    ['when every row is replaced and the transaction is about to be committed', 'DeleteQueryNode', 'ledger_archiving'],
  ])(
    'are there once after kill -9 %s: the next run takes them up, with nothing twice and nothing lost',
    async (_when, kind, table) => {
      const killed = await history(open, 10);
      const { db } = killed.books.store;
      const [before, asTold] = [await rowsOf(killed), await told(killed)];
      const program = await BundledProgram.make({ text: KILLED });
      onTestFinished(() => program.remove());
      const place =
        killed.books instanceof PostgresBooks
          ? ['postgres', killed.books.url]
          : ['sqlite', (killed.books as SqliteBooks).dataDir];
      const child = program.start([
        ...place,
        killed.folder,
        String(archivedBefore(KEPT_DAYS, Date.now())),
        kind,
        table,
      ]);
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
      expect([await new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal))), said]).toEqual([
        'SIGKILL',
        '',
      ]);
      // The file is complete under its name, and the database has no record of it.
      expect(filesIn(killed.folder)).toHaveLength(1);
      expect([
        await rowsOf(killed),
        await db.selectFrom('ledger_archives').selectAll().execute(),
        await db.selectFrom('ledger_archiving').selectAll().execute(),
      ]).toEqual([before, [], []]);
      expect(await faultsOf(killed)).toEqual([]);
      expect((await archiveAll(killed)).archives).toBe(1);
      const [archive] = await db.selectFrom('ledger_archives').select(['file', 'archived_rows']).execute();
      const archived = parseArchive(readFileSync(join(killed.folder, archive?.file ?? ''))).rows.map(
        ({ into: _into, ...row }) => row,
      );
      const left = new Set(
        (await db.selectFrom('ledger').select('id').where('archive_id', 'is', null).execute()).map(({ id }) => id),
      );
      expect([...before.filter(({ id }) => left.has(id)), ...archived].sort((a, b) => a.id - b.id)).toEqual(before);
      expect(archived).toHaveLength(archive?.archived_rows ?? 0);
      expect([await told(killed), await faultsOf(killed)]).toEqual([asTold, []]);
    },
  );

  it('are there once where archiving breaks off in the middle of a file: the rest is in the next file', async () => {
    const half = await history(open, 11);
    const { db } = half.books.store;
    const [before, asTold] = [await rowsOf(half), await told(half)];
    let steps = 0;
    const breaking = db.withPlugin({
      transformQuery: ({ node }) => {
        if (
          node.kind === 'UpdateQueryNode' &&
          JSON.stringify(node.table).includes('"ledger_archives"') &&
          ++steps === 2
        )
          throw new Error('no space');
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const settings = { folder: half.folder, before: archivedBefore(KEPT_DAYS, Date.now()), stepRows: 5 };
    await expect(archiveLedger(breaking, settings)).rejects.toThrow('no space');
    const archivesOf = () => db.selectFrom('ledger_archives').select(['id', 'file', 'archived_rows']).execute();
    const contentOf = (file: string) => parseArchive(readFileSync(join(half.folder, file))).rows;
    const [first] = await archivesOf();
    expect(first?.archived_rows).toBeGreaterThan(0);
    expect(first?.archived_rows).toBeLessThan(contentOf(first?.file ?? '').length);
    expect([await told(half), await faultsOf(half)]).toEqual([asTold, []]);
    expect((await archiveLedger(db, settings)).archives).toBe(1);
    expect([await told(half), await faultsOf(half)]).toEqual([asTold, []]);
    const rows = await db.selectFrom('ledger').select(['id', 'archive_id']).execute();
    const intoOf = new Map(rows.map(({ id, archive_id: archive }) => [id, archive]));
    const archived = (await archivesOf()).flatMap(({ id, file }) =>
      contentOf(file).flatMap(({ into, ...row }) => (intoOf.get(into) === id ? [row] : [])),
    );
    expect([...before.filter(({ id }) => intoOf.get(id) === null), ...archived].sort((a, b) => a.id - b.id)).toEqual(
      before,
    );
    // The record states how many rows of the file were replaced. A wrong record is found.
    await db.updateTable('ledger_archives').set({ archived_rows: 1 }).where('id', '=', 1).execute();
    expect((await faultsOf(half)).some((fault) => fault.includes('1 rows were archived, but it has'))).toBe(true);
  });

  it('are archived once by a process that read them before another archived them', async () => {
    const both = await history(open, 5);
    const { db } = both.books.store;
    const batch = {
      folder: both.folder,
      before: archivedBefore(KEPT_DAYS, Date.now()),
      stepRows: 1_000,
      rest: () => Promise.resolve(),
    };
    const daily: DailyRow[][] = [];
    const range = await nextRange(db, { afterId: 0, before: batch.before });
    for await (const slice of slicesOf(db, range, 1_000)) daily.push(slice.daily);
    // Their daily rows have the same ids as the charges.
    const alone = daily.map((slice) => slice.filter(({ rows }) => rows.length === 1));
    expect([alone.flat().length > 0, daily.flat().length > alone.flat().length]).toEqual([true, true]);
    expect(await archiveBatch(db, batch, daily)).toBe(true);
    const rows = await rowsOf(both);
    for (const stale of [alone, daily]) expect(await archiveBatch(db, batch, stale)).toBe(false);
    expect([await rowsOf(both), filesIn(both.folder).length, await faultsOf(both)]).toEqual([rows, 1, []]);
  });

  it('are archived once where two processes do so at the same time', async () => {
    const both = await history(open, 5);
    const [{ db }, other] = [both.books.store, await both.books.connect()];
    const settings = { folder: both.folder, before: archivedBefore(KEPT_DAYS, Date.now()) };
    // The two runs find different rows, as if one had started earlier. Neither may overwrite the other's file.
    const outcomes = await Promise.allSettled([
      archiveLedger(db, settings),
      archiveLedger(other, { ...settings, rowsMax: 9 }),
    ]);
    expect(
      outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value.archives > 0).length,
    ).toBeGreaterThan(0);
    // On SQLite, two connections of one thread block each other. The second run fails with that error, or finds that
    // the first has archived.
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ message: 'database is locked' });
    const archives = await db.selectFrom('ledger_archives').select('file').execute();
    expect(filesIn(both.folder)).toEqual(archives.map(({ file }) => file));
    expect(await faultsOf(both)).toEqual([]);
  });

  it('do not stop a gateway while another process has the lock: archiving waits for it beside other work', async () => {
    const locked = await history(open, 12);
    if (locked.books instanceof PostgresBooks) return;
    const other = await locked.books.connect();
    let archiving: ReturnType<typeof archiveAll> | undefined;
    await other.transaction().execute(async () => {
      archiving = archiveAll(locked);
      await vi.waitFor(() => expect(filesIn(locked.folder)).toHaveLength(1));
      // Without these turns, the lock is released before archiving asks for it.
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
    });
    expect((await archiving)?.archives).toBe(1);
    expect(await faultsOf(locked)).toEqual([]);
  });

  it('are archived beside others who are charged, and every charge is in the books once', async () => {
    const busy = await history(open, 9);
    const account = busy.accounts[1] as number;
    const before = await busy.books.balances(account);
    let isArchiving = true;
    let charged = 0;
    const charges = (async () => {
      // Charges no more than the account can pay, even if archiving takes long on a busy machine.
      while (charged < 20 || (isArchiving && charged < 150)) {
        await busy.books.charge(busy.books.request(account, 1));
        charged++;
      }
    })();
    expect((await archiveAll(busy, 10)).archives).toBeGreaterThan(2);
    isArchiving = false;
    await charges;
    expect(await faultsOf(busy)).toEqual([]);
    const sum = (balances: Record<string, number>) =>
      Object.values(balances).reduce((total, balance) => total + balance, 0);
    expect(sum(await busy.books.balances(account))).toBe(sum(before) - charged);
  });

  it('of videos and refunds stay one by one, since their check needs each', async () => {
    const kept = await history(open, 6);
    const { db } = kept.books.store;
    const account = kept.accounts[1] as number;
    const [charge] = (await rowsOf(kept)).filter(
      (row) =>
        row.kind === 'CHARGE' && row.account_id === account && row.created_at < archivedBefore(KEPT_DAYS, Date.now()),
    );
    await db
      .insertInto('video_requests')
      .values({
        id: 'v',
        account_id: account,
        model: 'm',
        upstream: 'u',
        content: '{}',
        price: 0,
        request_id: charge?.request_id ?? '',
        state: 'COMPLETED',
        next_look_at: 0,
        created_at: START,
      })
      .execute();
    await archiveAll(kept);
    expect(
      await db
        .selectFrom('ledger')
        .select('archive_id')
        .where('id', '=', charge?.id ?? 0)
        .execute(),
    ).toEqual([{ archive_id: null }]);
    expect(await faultsOf(kept)).toEqual([]);
  });

  it('are proved: a byte that was flipped, a file or a row that is missing, and daily rows that were changed are named', async () => {
    const proved = await history(open, 7);
    const { books, folder } = proved;
    const { db } = books.store;
    expect((await archiveAll(proved, 15)).archives).toBeGreaterThanOrEqual(3);
    const { file } = await db
      .selectFrom('ledger_archives')
      .select('file')
      .where('id', '=', 2)
      .executeTakeFirstOrThrow();
    const path = join(folder, file);
    const sound = readFileSync(path);
    // A changed byte is found in the head, the middle and the end of the file.
    for (const place of [9, Math.floor(sound.length / 2), sound.length - 1]) {
      const flipped = Buffer.from(sound);
      flipped[place] = (flipped[place] as number) ^ 1;
      writeFileSync(path, flipped);
      expect(
        (await faultsOf(proved)).some((fault) =>
          fault.startsWith(`archive 2, ${file}: the file has changed since it was written`),
        ),
      ).toBe(true);
    }
    renameSync(path, `${path}.away`);
    expect(await faultsOf(proved)).toEqual([`archive 2, ${file}: the file is not in ${folder}`]);
    // One row is missing, and all checksums are adjusted to the missing row.
    const [head = '', ...lines] = gunzipSync(sound).toString().trimEnd().split('\n');
    const forged = gzipSync(
      [JSON.stringify({ ...JSON.parse(head), rows: lines.length - 1 }), ...lines.slice(1)]
        .map((line) => `${line}\n`)
        .join(''),
    );
    writeFileSync(path, forged);
    await db
      .updateTable('ledger_archives')
      .set({ sha256: sha256Of(forged), archived_rows: lines.length - 1 })
      .where('id', '=', 2)
      .execute();
    const faults = await faultsOf(proved);
    expect(faults).toContain('archive 3: it does not follow the archive 2 of the list');
    expect(faults.some((fault) => /^archive 2, .*: ledger row \d+ replaces \d+ calls/.test(fault))).toBe(true);
    writeFileSync(path, sound);
    await db
      .updateTable('ledger_archives')
      .set({ sha256: sha256Of(sound), archived_rows: lines.length })
      .where('id', '=', 2)
      .execute();
    expect(await faultsOf(proved)).toEqual([]);
    // Faults in the database instead of the files.
    for (const change of ['update', 'delete'])
      await sql
        .raw(`drop trigger ledger_refuses_${change}${books instanceof PostgresBooks ? ' on ledger_rows' : ''}`)
        .execute(db);
    await db
      .deleteFrom('ledger_rows')
      .where('id', '=', (row) =>
        row
          .selectFrom('ledger')
          .select((one) => one.fn.min('id').as('id'))
          .where('archive_id', '=', 1),
      )
      .execute();
    expect((await faultsOf(proved)).some((fault) => fault.startsWith('archive 1: '))).toBe(true);
    await db.deleteFrom('ledger_archives').where('id', '=', 2).execute();
    expect(
      (await faultsOf(proved)).some((fault) => fault.startsWith('archive 3: the archive before it is missing')),
    ).toBe(true);
  });

  it('go on where their archives are: in another folder nothing is done', async () => {
    const away = await history(open, 8);
    await archiveAll(away);
    vi.setSystemTime(Date.now() + 5 * DAY_MS);
    const rows = await rowsOf(away);
    const elsewhere = { ...away, folder: join(tempFolder(), 'empty') };
    await expect(archiveAll(elsewhere)).rejects.toThrow(ArchiveElsewhere);
    expect([await rowsOf(away), existsSync(elsewhere.folder)]).toEqual([rows, false]);
    for (const file of filesIn(away.folder)) rmSync(join(away.folder, file));
    await expect(archiveAll(away)).rejects.toThrow(/Nothing was changed/);
  });
});
