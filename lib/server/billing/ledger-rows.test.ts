import { Kysely, PostgresDialect, sql } from 'kysely';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { STEPS } from '../db/migrate';
import { createPool } from '../db/postgres/connection';
import { createFunctions } from '../db/postgres/functions';
import type { Database, Schema } from '../db/schema';
import { sqliteDialect } from '../db/sqlite/dialect';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { describeWithPostgres } from '@/test/postgres';
import { PostgresBooks } from '@/test/postgres-books';

const HEX = '0123456789abcdef0123456789abcdef';
const ZERO = '0'.repeat(32);
/** Ids that are stored as bytes, and ids that only look like them. */
const IDS = [
  HEX,
  'f'.repeat(32),
  `${'0'.repeat(31)}1`,
  ZERO,
  HEX.toUpperCase(),
  HEX.slice(1),
  `${HEX}0`,
  ` ${HEX.slice(1)}`,
  `${HEX.slice(1)}g`,
  `${HEX.slice(1)}\n`,
  '01234567-89ab-cdef-0123-456789abcdef',
  '00000000-0000-0000-0000-000000000000',
  '०'.repeat(32),
  'pay_1',
  '0',
  '12',
  "'; --",
];
/** Pairs that are equal when joined without a separator, and texts that need quoting. */
const PAIRS = [
  ['rpc/a', 'b c'],
  ['rpc/a b', 'c'],
  ['rpc/a', ''],
  ['rpc/a', 'NULL'],
  ['rpc/a', '{1,"2"}\\'],
  ['rpc/A', 'B C'],
  ['chat/m', '1 + 2 tokens'],
] as const;

const chargesOf = ({ store: { db } }: MeteredStore) =>
  db.selectFrom('ledger').selectAll().where('kind', '=', 'CHARGE').orderBy('id').execute();

/** Returns the number that each charge stores for its names; 0 or null for text. */
async function numbersOf({ store: { db } }: MeteredStore): Promise<(number | null)[]> {
  const { rows } = await sql<{
    name_id: number | null;
  }>`select name_id from ledger_rows where kind = 'CHARGE' order by id`.execute(db);
  return rows.map(({ name_id: id }) => id || null);
}

/** Numbers the names of all charges that were made. On SQLite, the charges have done that. */
async function learn(books: MeteredStore): Promise<void> {
  if (books instanceof PostgresBooks) await books.meter.learnNames();
}

const namesOf = ({ store: { db } }: MeteredStore) => db.selectFrom('ledger_names').selectAll().orderBy('id').execute();

describeStores('a row of the ledger', (open) => {
  it('has the request id that was written, whatever it looks like', async () => {
    const books = await open();
    const account = await books.account({ usd: 1_000 });
    for (const requestId of IDS) await books.charge(books.request(account, 1), { requestId });
    expect((await chargesOf(books)).map(({ request_id: id }) => id)).toEqual(IDS);
    for (const requestId of IDS) {
      const found = await books.store.db
        .selectFrom('ledger')
        .select('request_id')
        .where('request_id', '=', requestId)
        .execute();
      expect(found).toEqual([{ request_id: requestId }]);
    }
    expect(await books.store.db.selectFrom('usage').selectAll().execute()).toHaveLength(IDS.length);
    expect(await books.faults()).toEqual([]);
  });

  it('that is no charge has what was written too, and is found by its request id', async () => {
    const books = await open();
    const account = await books.account();
    const { db } = books.store;
    const row = { account_id: account, pot: 'x402', kind: 'REFUND', amount: 1, api_key_id: null, units: 0 } as const;
    const rest = { resource: 'refund', detail: "it's", created_at: 5 };
    for (const [index, id] of IDS.entries())
      await db
        .insertInto('ledger')
        .values({ ...row, ...rest, balance_after: index + 1, request_id: id })
        .execute();
    for (const [index, id] of IDS.entries())
      expect(await db.selectFrom('ledger').selectAll().where('request_id', '=', id).execute()).toEqual([
        {
          ...row,
          ...rest,
          id: expect.any(Number) as number,
          balance_after: index + 1,
          request_id: id,
          calls: 1,
          archive_id: null,
        },
      ]);
  });

  it.each(['pot', 'kind', 'request_id', 'resource', 'detail'] as const)('is refused without its %s', async (column) => {
    const books = await open();
    const account = await books.account();
    const row = {
      account_id: account,
      pot: 'usd',
      kind: 'GRANT',
      amount: 1,
      balance_after: 1,
      api_key_id: null,
    } as const;
    const rest = { resource: 'grant', detail: '', units: 0, request_id: '', created_at: 0 };
    const without = { ...row, ...rest, [column]: null } as unknown as typeof row & typeof rest;
    await expect(books.store.db.insertInto('ledger').values(without).execute()).rejects.toThrow(/null|check/i);
    const unknown = { ...row, ...rest, pot: 'gold' as 'usd' };
    await expect(books.store.db.insertInto('ledger').values(unknown).execute()).rejects.toThrow(/null/i);
  });

  it('has the resource and detail of its charge, before and after they have a number', async () => {
    const books = await open();
    const account = await books.account({ usd: 1_000 });
    for (let round = 0; round < 3; round++) {
      for (const [resource, detail] of PAIRS) await books.charge(books.request(account, 1), { resource, detail });
      await learn(books);
    }
    const bought = (await chargesOf(books)).map(({ resource, detail }) => [resource, detail]);
    expect(bought).toEqual([...PAIRS, ...PAIRS, ...PAIRS]);
    const numbers = await numbersOf(books);
    expect(numbers.slice(0, PAIRS.length)).toEqual(PAIRS.map(() => null));
    const later = numbers.slice(PAIRS.length, 2 * PAIRS.length);
    expect(numbers.slice(2 * PAIRS.length)).toEqual(later);
    const names = await namesOf(books);
    expect(later.map((number) => names.find(({ id }) => id === number)?.detail)).toEqual([
      ...PAIRS.slice(0, -1).map(([, detail]) => detail),
      undefined,
    ]);
    const found = books.store.db.selectFrom('ledger').select('id').where('resource', '=', 'rpc/a');
    expect(await found.where('detail', '=', 'b c').execute()).toHaveLength(3);
    expect(await books.faults()).toEqual([]);
  });

  it('keeps its names if the first charge with them failed', async () => {
    const books = await open();
    const account = await books.account({ usd: 1_000 });
    await books.breakCharges('broken');
    const fails = books.charge(books.request(account, 1), { resource: 'rpc/lost', detail: 'm', requestId: 'broken' });
    await expect(fails).rejects.toThrow();
    await books.repairCharges();
    await books.charge(books.request(account, 1), { resource: 'rpc/other', detail: 'n' });
    await books.charge(books.request(account, 1), { resource: 'rpc/lost', detail: 'm' });
    await learn(books);
    await books.charge(books.request(account, 1), { resource: 'rpc/other', detail: 'n' });
    await books.charge(books.request(account, 1), { resource: 'rpc/lost', detail: 'm' });
    const bought = (await chargesOf(books)).map(({ resource, detail }) => `${resource} ${detail}`);
    expect(bought).toEqual(['rpc/other n', 'rpc/lost m', 'rpc/other n', 'rpc/lost m']);
    expect(await books.faults()).toEqual([]);
  });

  it('stores names as text once 10,000 have a number, and after a restart goes on with those', async () => {
    const books = await open();
    const account = await books.account({ usd: 1_000 });
    const { db } = books.store;
    await sql`insert into ledger_names (resource, detail)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 9999) select 'rpc/x', 'method ' || i from n`.execute(
      db,
    );
    const again = await books.reopen();
    const charge = (detail: string) => again.charge(again.request(account, 1), { resource: 'rpc/x', detail });
    await charge('last');
    await learn(again);
    await charge('last');
    await charge('one too many');
    await learn(again);
    await charge('one too many');
    await charge('method 9999');
    expect((await chargesOf(again)).map(({ detail }) => detail)).toEqual([
      'last',
      'last',
      'one too many',
      'one too many',
      'method 9999',
    ]);
    const numbers = await numbersOf(again);
    expect(numbers.map((number) => number !== null)).toEqual([false, true, false, false, true]);
    expect(await namesOf(again)).toHaveLength(10_000);
    expect(await again.faults()).toEqual([]);
  });
});

describeWithPostgres('the charge of a lost reservation', (server) => {
  it('is recognised by exactly its request id', async () => {
    const books = await PostgresBooks.open(server());
    const account = await books.account({ usd: 1_000 });
    const ids = [HEX, ZERO, HEX.toUpperCase(), 'plain'];
    const known = async () => {
      const { rows } = await sql<{ id: string }>`
        select id from unnest(${ids}::text[]) as id where turnpike_was_charged(${account}, id)`.execute(books.store.db);
      return rows.map(({ id }) => id);
    };
    for (const [index, requestId] of ids.entries()) {
      expect(await known()).toEqual(ids.slice(0, index));
      await books.charge(books.request(account, 1), { requestId });
    }
  });
});

/** The newest id that a transaction drew, which was rolled back. */
const DRAWN = 1_000;

const OLD = `insert into ledger (id, account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at, calls, archive_id)`;

/** Makes a database of the release before, with rows of all kinds, and migrates its ledger. */
async function migrated(db: Database, dialect: 'sqlite' | 'postgres') {
  const steps = Object.entries(STEPS);
  const at = steps.findIndex(([name]) => name === '0017-smaller-rows');
  const run = (of: typeof steps) =>
    db.transaction().execute(async (transaction) => {
      for (const [, step] of of) await step(transaction as unknown as Kysely<unknown>, dialect);
    });
  await run(steps.slice(0, at));
  await sql`insert into accounts (label, tier, created_at) values ('', 'paid', 0), ('', 'paid', 0)`.execute(db);
  let id = 0;
  const row = (kind: string, request: string, bought: readonly [string, string], rest = 'null, 7, 1, null') => {
    const [key, units, calls, archive] = rest.split(', ');
    const values = sql`${++id}, ${1 + (id % 2)}, ${['diem', 'bundled', 'usd', 'x402'][id % 4]}, ${kind}, ${-id}, ${9e15 + id}, ${sql.raw(key as string)},
      ${bought[0]}, ${bought[1]}, ${sql.raw(units as string)}, ${request}, ${1e12 + id}, ${sql.raw(calls as string)}, ${sql.raw(archive as string)}`;
    const overriding = sql.raw(dialect === 'postgres' ? 'overriding system value' : '');
    return sql`${sql.raw(OLD)} ${overriding} values (${values})`.execute(db);
  };
  for (const request of IDS) await row('CHARGE', request, ['rpc/a', 'b'], '5, 20, 1, null');
  for (const bought of PAIRS) await row('CHARGE', HEX, bought, '5, 20, 0, null');
  await row('CHARGE', 'archive 3 90', ['rpc/a', '70000 calls, archived'], '5, 9007199254740991, 2147483647, 3');
  for (const kind of ['GRANT', 'ALLOCATION', 'EXPIRY', 'TOP_UP', 'REFUND', 'WITHDRAWAL', 'REVERSAL'])
    for (const request of ['', HEX, 'pay_1']) await row(kind, request, ['reason', "it's"]);
  if (dialect === 'postgres') await sql`select setval('ledger_id_seq', ${DRAWN})`.execute(db);
  const all = () => db.selectFrom('ledger').selectAll().orderBy('id').execute();
  const before = await all();
  await run(steps.slice(at, at + 1));
  return { before, after: await all(), last: id };
}

const NEXT = {
  account_id: 1,
  pot: 'usd',
  kind: 'GRANT',
  amount: 1,
  balance_after: 1,
  api_key_id: null,
  resource: '',
  detail: '',
  units: 0,
  request_id: '',
  created_at: 0,
} as const;

describe('a ledger of the release before, on SQLite', () => {
  it('has the same rows after the migration, and goes on with the next id', async () => {
    const db = new Kysely<Schema>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) });
    onTestFinished(() => db.destroy());
    const { before, after, last } = await migrated(db, 'sqlite');
    expect(after).toEqual(before);
    await db.insertInto('ledger').values(NEXT).execute();
    expect(await db.selectFrom('ledger').select('id').where('id', '>', last).execute()).toEqual([{ id: last + 1 }]);
    const { rows } = await sql<{ text: number }>`
      select count(*) as text from ledger_rows where resource = 'rpc/a' and detail = 'b'`.execute(db);
    expect(rows).toEqual([{ text: 0 }]);
  });
});

describeWithPostgres('a ledger of the release before, on Postgres', (server) => {
  it('has the same rows after the migration, and goes on with an id that was never drawn', async () => {
    const url = await server().createDatabase();
    const pool = createPool(url, { connectionsMax: 1, statementTimeoutMs: null, onLost: () => undefined });
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    onTestFinished(() => db.destroy());
    const { before, after, last } = await migrated(db, 'postgres');
    expect(after).toEqual(before);
    await createFunctions(db);
    await db.insertInto('ledger').values(NEXT).execute();
    expect(await db.selectFrom('ledger').select('id').where('id', '>', last).execute()).toEqual([{ id: DRAWN + 1 }]);
  });
});
