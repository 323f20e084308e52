import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BundledProgram } from '@/test/bundled-program';
import { describeWithPostgres } from '@/test/postgres';
import type { TestPostgres } from '@/test/test-postgres';
import { createAccount } from '../accounts';
import { SchemaUnknown } from '../migrate';
import { DatabaseUnreachable } from './failure';
import { openPostgres } from './open';

async function open(url: string) {
  const store = await openPostgres({ reveal: () => url });
  onTestFinished(() => store.close());
  return store;
}

const opened = async (server: TestPostgres) => open(await server.createDatabase());

describeWithPostgres('opening a database', (server) => {
  it('migrates it, and a second time finds what the first left', async () => {
    const url = await server().createDatabase();
    await createAccount((await open(url)).db, { label: 'kept', tier: 'paid' });
    const { db } = await open(url);
    expect((await db.selectFrom('accounts').select('label').execute()).map(({ label }) => label)).toEqual(['kept']);
  });

  it('by several processes at once migrates once', async () => {
    const program = await BundledProgram.make({
      text: `import { openPostgres } from '@/lib/server/db/postgres/open';
        const store = await openPostgres({ reveal: () => process.argv[2] });
        await store.close();`,
    });
    onTestFinished(() => program.remove());
    for (let round = 0; round < 2; round++) {
      const url = await server().createDatabase();
      const ended = await Promise.all([1, 2, 3, 4].map(() => program.run([url])));
      expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([1, 2, 3, 4].map(() => [0, '']));
    }
  });

  it('whose migration fails leaves nothing of it', async () => {
    const url = await server().createDatabase();
    const before = await open(url);
    await sql`drop schema public cascade`.execute(before.db);
    await sql`create schema public`.execute(before.db);
    await sql`create table ledger (in_the_way integer)`.execute(before.db);
    await expect(openPostgres({ reveal: () => url })).rejects.toThrow(/ledger/);
    const { rows } = await sql<{
      name: string;
    }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'kysely%'`.execute(
      before.db,
    );
    expect(rows).toEqual([{ name: 'ledger' }]);
  });

  it('of an earlier release is refused without a migration, if it must not be upgraded', async () => {
    const url = await server().createDatabase();
    const { db } = await open(url);
    await sql`delete from kysely_migration where name = '0018-charges-after-waits'`.execute(db);
    const count = async () => (await sql`select name from kysely_migration`.execute(db)).rows.length;
    const before = await count();
    await expect(openPostgres({ reveal: () => url }, undefined, null, false)).rejects.toThrow(SchemaUnknown);
    expect(await count()).toBe(before);
  });

  it('that is not there says which, and never its password', async () => {
    const failures = [
      server().url('absent').replace('user=postgres', 'user=postgres&password=hunter2'),
      'postgres://someone:hunter2@127.0.0.1:1/turnpike',
    ].map((url) => openPostgres({ reveal: () => url }).catch((error: Error) => error));
    const [absent, refused] = (await Promise.all(failures)) as Error[];
    expect(absent).toBeInstanceOf(DatabaseUnreachable);
    expect(absent?.message).toMatch(/DATABASE_URL.*database absent.*does not exist/);
    expect(refused?.message).toMatch(/database turnpike at 127\.0\.0\.1:1\): .*ECONNREFUSED/);
    expect(`${absent?.message}${refused?.message}`).not.toContain('hunter2');
  });
});

describeWithPostgres('integers of the database', (server) => {
  it('come as numbers, and are refused where a number cannot hold them', async () => {
    const { db } = await opened(server());
    const read = (text: string) =>
      sql
        .raw<{ n: number }>(`select ${text}::bigint as n`)
        .execute(db)
        .then(({ rows }) => rows[0]?.n);
    expect(await read('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(await read('-5')).toBe(-5);
    await expect(read('9007199254740993')).rejects.toThrow(/2\^53/);
    expect(await read('7')).toBe(7);
  });
});

describeWithPostgres('the ledger is append-only', (server) => {
  describe.each([
    'update ledger set amount = 1',
    'delete from ledger where id = 1',
    'update ledger_rows set amount = 1',
    'delete from ledger_rows where false',
    'truncate ledger_rows',
    "update ledger_names set detail = 'x'",
    'delete from ledger_names where false',
    'truncate ledger_names',
    'delete from ledger where false',
  ])('%s', (statement) => {
    it('is refused', async () => {
      const { db } = await opened(server());
      const account = await createAccount(db, { label: '', tier: 'paid' });
      const row = {
        account_id: account,
        pot: 'usd',
        kind: 'GRANT',
        amount: 5,
        balance_after: 5,
        api_key_id: null,
        resource: '',
        detail: '',
        units: 0,
        request_id: '',
        created_at: 0,
      } as const;
      await db.insertInto('ledger').values(row).execute();
      await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only');
      expect(await db.selectFrom('ledger').select('amount').execute()).toEqual([{ amount: 5 }]);
    });
  });

  it('and no balance and no hold can be written below zero', async () => {
    const { db } = await opened(server());
    const account = await createAccount(db, { label: '', tier: 'paid' });
    for (const column of ['usd', 'x402', 'held_usd', 'held_credits']) {
      await expect(
        sql.raw(`update meters set ${column} = -1 where account_id = ${account}`).execute(db),
      ).rejects.toThrow(/meters_not_negative/);
    }
  });
});
