import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hashApiKey } from './api-keys';
import { checkLedger } from '../billing/ledger-check';
import { migrate, SchemaUnknown, type Step, STEPS } from './migrate';
import { creditPayment, findPayment } from './payments';
import type { Database, Pot } from './schema';
import { readVideo } from '../video/video-requests';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { PostgresBooks } from '@/test/postgres-books';
import { describePreviousRelease } from '@/test/previous-release';
import { schemaOf } from '@/test/schema-of';

const USD = 1_000_000_000;
const [DEMO, CUSTOMER, WALLET] = [1, 2, 3];
const LIMITED = { id: 2, hash: hashApiKey('tpk_limited') };
const PLAIN = { id: 3, hash: hashApiKey('tpk_plain') };

const dialectOf = (books: MeteredStore) => (books instanceof PostgresBooks ? 'postgres' : 'sqlite');
const recorded = async (db: Database) =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  );

/** Returns an account's balances that are not zero. */
async function pots(books: MeteredStore, accountId: number): Promise<Partial<Record<Pot, number>>> {
  return Object.fromEntries(Object.entries(await books.balances(accountId)).filter(([, amount]) => amount !== 0));
}

describePreviousRelease('a populated database of the previous release', (load) => {
  // The dump ends at nine o'clock on its third day, and has an allocation for that day.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 22, 10) }));
  afterEach(() => void vi.useRealTimers());

  it('is opened with what was in it, and its books agree', async () => {
    const books = await (await load()).open();
    expect([await pots(books, DEMO), await pots(books, WALLET)]).toEqual([
      { bundled: 999_999_958_000 },
      { x402: 8 * USD },
    ]);
    expect(await pots(books, CUSTOMER)).toMatchObject({ usd: 3_099_958_000 });
    expect(await checkLedger(books.store.db)).toMatchObject({ accounts: 3, faults: [] });
    const revoked = await books.store.db
      .selectFrom('api_keys')
      .select('description')
      .where('revoked_at', 'is not', null)
      .execute();
    expect(revoked).toEqual([{ description: 'revoked' }]);
    expect(await readVideo(books.store.db, 'video_made')).toMatchObject({ state: 'COMPLETED', media_bytes: 12_345 });
  });

  // On a busy machine, processes start slowly.
  it('is upgraded once by several processes that open it at the same time', { timeout: 120_000 }, async () => {
    const previous = await load();
    expect((await previous.openAtOnce(4)).map(({ code, stderr }) => [code, stderr])).toEqual(
      Array.from({ length: 4 }, () => [0, '']),
    );
    const { store } = await previous.open();
    expect(await recorded(store.db)).toEqual(Object.keys(STEPS));
  });

  it('has the schema of a new one, its functions included', async () => {
    const previous = await load();
    const [upgraded, fresh] = [await previous.open(), await previous.openNew()];
    expect(await schemaOf(upgraded.store.db)).toEqual(await schemaOf(fresh.store.db));
    expect(await recorded(upgraded.store.db)).toEqual(Object.keys(STEPS));
  });

  it('goes on where it was: what was noted of a stream whose process died is charged, and calls spend the pots in their order', async () => {
    const books = await (await load()).open();
    // On Postgres, the stream is charged with its caller's next call, because another gateway might still run it.
    await books.charge(books.request(CUSTOMER, 1_000, { key: PLAIN }), { requestId: 'req_after1' });
    const stream = await books.store.db
      .selectFrom('ledger')
      .select(['pot', 'amount', 'units', 'detail'])
      .where('request_id', '=', 'req_stream')
      .execute();
    expect(stream).toEqual([{ pot: 'diem', amount: -250_000_000, units: 77, detail: 'stream' }]);
    expect(await pots(books, CUSTOMER)).toEqual({ diem: 749_999_000, usd: 3_099_958_000 });
    await books.charge(books.request(CUSTOMER, USD, { key: PLAIN }), { requestId: 'req_after2' });
    expect(await pots(books, CUSTOMER)).toEqual({ usd: 2_849_957_000 });
    expect((await books.refusal(books.request(CUSTOMER, 3 * USD, { key: PLAIN }))).reason).toBe('balance');
    expect(await books.faults()).toEqual([]);
  });

  it("counts what a key with limits spent before, and keeps to the day's allocation", async () => {
    const previous = await load();
    // The dump's charges with this key were made on earlier days.
    await previous.run(
      `insert into key_spend (api_key_id, period, usd, diem) values (${LIMITED.id}, '2026-11-22', ${2 * USD}, ${USD})`,
    );
    const books = await previous.open();
    expect(await books.refusal(books.request(CUSTOMER, 1_000, { key: LIMITED }))).toMatchObject({
      reason: 'key-limit',
    });
    expect(await books.allocate(CUSTOMER, 9 * USD)).toMatchObject({ amountNanoUsd: USD });
    vi.setSystemTime(Date.UTC(2026, 10, 23));
    expect(await books.allocate(CUSTOMER, 9 * USD)).toMatchObject({ amountNanoUsd: 9 * USD });
    await books.charge(books.request(CUSTOMER, USD, { key: LIMITED }));
    expect(await pots(books, CUSTOMER)).toMatchObject({ diem: 8 * USD });
    expect(await books.faults()).toEqual([]);
  });

  it('credits a payment that was open, once, and none that was credited before', async () => {
    const books = await (await load()).open();
    const { db } = books.store;
    const identity = (nonce: number) =>
      `eip155:31337/0x70ce000000000000000000000000000000000001/0x5e1f000000000000000000000000000000000001/${nonce}`;
    const [credited, open] = [await findPayment(db, identity(1)), await findPayment(db, identity(3))];
    expect([credited?.state, open?.state, open?.waits_for]).toEqual([
      'credited',
      'submitted',
      'The chain has not confirmed it yet.',
    ]);
    const paid = { transaction_id: '0x03', amount_units: '3000000', amount: 3 * USD };
    for (const payment of [credited, open, open]) await creditPayment(db, payment?.id ?? '', paid);
    expect(await pots(books, WALLET)).toEqual({ x402: 11 * USD });
    await books.charge(
      books.request(WALLET, 11 * USD, { caller: { accountId: WALLET, apiKeyId: null, purse: 'x402' } }),
    );
    expect(await pots(books, WALLET)).toEqual({});
    expect(await books.faults()).toEqual([]);
  });

  it('answers repetitions from what was kept for 24 hours, and counts what was kept', async () => {
    vi.setSystemTime(Date.UTC(2026, 10, 20, 12));
    const books = await (await load()).open();
    const repeat = (key: string) =>
      books.reserve(
        books.request(CUSTOMER, 14_000, { key: PLAIN, idempotency: { key, fingerprint: `fingerprint of ${key}` } }),
      );
    const answers = await Promise.all([repeat('small'), repeat('large')]);
    expect(
      answers.map((answer) => answer.outcome === 'replayed' && Buffer.from(answer.body).toString().slice(0, 16)),
    ).toEqual(['answer to small.', 'answer to large.']);
    expect(await repeat('unkept')).toEqual({ outcome: 'refused', refusal: { reason: 'answer-not-kept' } });
    const sums = () =>
      books.store.db.selectFrom('idempotency_sums').selectAll().where('account_id', '=', CUSTOMER).executeTakeFirst();
    expect(await sums()).toEqual({ account_id: CUSTOMER, records: 3, bytes: 2_000 });
    await books.store.db.deleteFrom('idempotency_records').where('key', '=', 'large').execute();
    expect(await sums()).toEqual({ account_id: CUSTOMER, records: 2, bytes: 0 });
  });

  it('still refuses changes of its ledger', async () => {
    const { store } = await (await load()).open();
    for (const statement of ['update ledger set amount = 1', 'delete from ledger'])
      await expect(sql.raw(statement).execute(store.db)).rejects.toThrow('append-only');
  });

  it('that lacks the last of its migrations is refused, untouched, with what to do', async () => {
    const previous = await load();
    await previous.run("delete from kysely_migration where name in ('0012-payment-attempts', '0011-kept-answers')");
    const refused = previous.open();
    await expect(refused).rejects.toThrow(SchemaUnknown);
    await expect(refused).rejects.toThrow(
      /before the first release.*0010-open-payments.*cannot be upgraded\. Use another database or data folder/,
    );
    await previous.run(
      "insert into kysely_migration (name, timestamp) values ('0011-kept-answers', ''), ('0012-payment-attempts', '')",
    );
    expect(await (await previous.open()).faults()).toEqual([]);
  });
});

describeStores('a later release', (open) => {
  const later = (step: Step) => ({ ...STEPS, '9999-later': step });

  it('takes a step forward, once, on a database that is in use', async () => {
    const books = await open();
    const account = await books.account({ usd: 10 });
    const step: Step = async (db) => void (await db.schema.alterTable('accounts').addColumn('note', 'text').execute());
    for (let start = 0; start < 2; start++) await migrate(books.store.db, dialectOf(books), later(step));
    expect(await recorded(books.store.db)).toEqual([...Object.keys(STEPS), '9999-later']);
    await books.charge(books.request(account, 4));
    expect(await pots(books, account)).toEqual({ usd: 6 });
  });

  it('whose step fails leaves the database as it was', async () => {
    const books = await open();
    const before = await schemaOf(books.store.db);
    const step: Step = async (db) => {
      await db.schema.alterTable('accounts').addColumn('note', 'text').execute();
      throw new Error('no space left');
    };
    await expect(migrate(books.store.db, dialectOf(books), later(step))).rejects.toThrow('no space left');
    expect([await schemaOf(books.store.db), await recorded(books.store.db)]).toEqual([before, Object.keys(STEPS)]);
  });

  it('leaves a database that this one refuses, untouched, saying which release to start', async () => {
    const books = await open();
    const account = await books.account({ usd: 10 });
    await migrate(
      books.store.db,
      dialectOf(books),
      later(async () => undefined),
    );
    const before = await schemaOf(books.store.db);
    const refused = books.connect();
    await expect(refused).rejects.toThrow(SchemaUnknown);
    await expect(refused).rejects.toThrow(
      'last used by a newer release of Turnpike, whose migration 9999-later this release does not have. Start that release or a later one',
    );
    expect([await schemaOf(books.store.db), await recorded(books.store.db)]).toEqual([
      before,
      [...Object.keys(STEPS), '9999-later'],
    ]);
    expect(await pots(books, account)).toEqual({ usd: 10 });
  });
});
