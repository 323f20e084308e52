import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../admin/command-line';
import { migrate, SchemaUnknown, type Step, STEPS } from './migrate';
import { describeWithPostgres } from '@/test/postgres';
import { PostgresBooks } from '@/test/postgres-books';
import { describePreviousRelease } from '@/test/previous-release';
import { schemaOf } from '@/test/schema-of';
import { SqliteBooks } from '@/test/sqlite-books';
import { tempFolder } from '@/test/temp-folder';
import type { Database } from './schema';

/**
 * Tests the way back from an upgrade, as docs/operating.md describes it. The older release refuses an upgraded
 * database, and runs on the copy that was made before.
 */

const USD = 1_000_000_000;
const WALLET = 3;

const recorded = async (db: Database) =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  );

describePreviousRelease('a database that was upgraded from the previous release', (load) => {
  // The dump ends at nine o'clock on its third day.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 22, 10) }));
  afterEach(() => void vi.useRealTimers());

  it('is refused by that release, untouched; the copy that was made before is taken, with what was in it, and is upgraded again', async () => {
    const previous = await load();
    await previous.startPrevious();
    const copy = await previous.copy();
    const upgraded = await previous.open();
    await upgraded.charge(
      upgraded.request(WALLET, USD, { caller: { accountId: WALLET, apiKeyId: null, purse: 'x402' } }),
    );
    const before = await schemaOf(upgraded.store.db);
    await expect(previous.startPrevious()).rejects.toThrow(
      'corrupted migrations: previously executed migration 0001-baseline is missing',
    );
    expect([await schemaOf(upgraded.store.db), await recorded(upgraded.store.db), await upgraded.faults()]).toEqual([
      before,
      Object.keys(STEPS),
      [],
    ]);
    await copy.startPrevious();
    const again = await copy.open();
    // The copy lacks the charges that were made after it.
    expect([(await again.balances(WALLET)).x402, (await upgraded.balances(WALLET)).x402]).toEqual([8 * USD, 7 * USD]);
    expect([await again.faults(), await recorded(again.store.db)]).toEqual([[], Object.keys(STEPS)]);
  });
});

const LATER = {
  ...STEPS,
  '9999-later': (async (db) =>
    void (await db.schema.alterTable('accounts').addColumn('note', 'text').execute())) as Step,
};

describe('a backup that was made before the next release, on SQLite', () => {
  it('is what this release goes on with; the upgraded database is refused in a sentence, and kept', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    const env = { TURNPIKE_PROFILE: 'live', TURNPIKE_SECRET: 's'.repeat(32), TURNPIKE_DATA_DIR: books.dataDir };
    const run = async (...words: string[]) => {
      const printed = { out: '', err: '' };
      const code = await runCommandLine(words, {
        env,
        cwd: tempFolder(),
        out: (text) => void (printed.out += text),
        err: (text) => void (printed.err += text),
      });
      return { code, ...printed };
    };
    const file = join(tempFolder(), 'before.db');
    expect(await run('database', 'backup', '--file', file)).toMatchObject({ code: 0 });
    await books.charge(books.request(account, 40));
    await migrate(books.store.db, 'sqlite', LATER);
    await books.store.close();
    expect(await run('ledger', 'check')).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'last used by a newer release of Turnpike, whose migration 9999-later this release does not have',
      ) as string,
    });
    const restored = await run('database', 'restore', '--file', file, '--json');
    expect(restored).toMatchObject({ code: 0 });
    const back = await SqliteBooks.open(undefined, { dataDir: books.dataDir });
    expect([(await back.balances(account)).usd, await back.faults(), await recorded(back.store.db)]).toEqual([
      100,
      [],
      Object.keys(STEPS),
    ]);
    // The upgraded database still exists under another name, in case the operator wants it.
    const { kept } = JSON.parse(restored.out) as { kept: string };
    await back.store.close();
    expect(await run('database', 'restore', '--file', kept)).toMatchObject({
      code: 1,
      err: expect.stringContaining('9999-later') as string,
    });
  });
});

describeWithPostgres('a dump that was made before the next release, on Postgres', (server) => {
  it('is what this release goes on with; the upgraded database is refused in a sentence', async () => {
    const books = await PostgresBooks.open(server());
    const account = await books.account({ usd: 100 });
    const file = join(tempFolder(), 'turnpike.dump');
    execFileSync('pg_dump', ['--format=custom', '--file', file, books.url]);
    await books.charge(books.request(account, 40));
    await migrate(books.store.db, 'postgres', LATER);
    await expect(PostgresBooks.on(books.url)).rejects.toThrow(SchemaUnknown);
    await expect(PostgresBooks.on(books.url)).rejects.toThrow(
      'last used by a newer release of Turnpike, whose migration 9999-later this release does not have',
    );
    const url = await server().createDatabase();
    execFileSync('pg_restore', ['--no-owner', '--dbname', url, file]);
    const back = await PostgresBooks.on(url);
    expect([(await back.balances(account)).usd, await back.faults(), await recorded(back.store.db)]).toEqual([
      100,
      [],
      Object.keys(STEPS),
    ]);
    await back.charge(back.request(account, 10));
    expect((await back.balances(account)).usd).toBe(90);
  });
});
