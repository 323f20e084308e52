import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { describeWithPostgres } from '@/test/postgres';
import { PostgresBooks } from '@/test/postgres-books';
import { schemaOf } from '@/test/schema-of';
import { migrate, STEPS } from '../migrate';
import { POSTGRES_FUNCTIONS } from './functions';

const FOLDER = join(import.meta.dirname, 'functions');
const files = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

describe('the functions of Postgres', () => {
  it('are all in the list by which they are created, and nothing else is', () => {
    expect([...POSTGRES_FUNCTIONS].sort()).toEqual(files.map(({ text }) => text).sort());
  });

  it.each(files)('in $name each have a comment that says what they guarantee', ({ text }) => {
    const functions = text.match(/^create .*function turnpike_\w+/gm) ?? [];
    expect(functions).not.toEqual([]);
    expect(text.match(/^-- \w.*\n(-- .*\n)*create .*function turnpike_\w+/gm)).toHaveLength(functions.length);
  });

  it('change together with a migration, which brings them to the databases that are there', () => {
    const code = POSTGRES_FUNCTIONS.map((text) => text.replaceAll(/^\s*--.*$/gm, '').replaceAll(/\s+/g, ' ')).join(
      '\n',
    );
    // If you change a function, add a step to STEPS, which may be empty, and put its name and the new sum here.
    expect([Object.keys(STEPS).at(-1), createHash('sha256').update(code).digest('hex').slice(0, 16)]).toEqual([
      '0018-charges-after-waits',
      '5649b59fb3b7f2b3',
    ]);
  });
});

describeWithPostgres('the functions of Postgres, in a database', (server) => {
  it('can be run again, each file by itself and in any order, as psql -f does', async () => {
    const { store } = await PostgresBooks.open(server());
    const before = await schemaOf(store.db);
    for (const { text } of [...files].reverse()) await sql.raw(text).execute(store.db);
    expect(await schemaOf(store.db)).toEqual(before);
  });

  it('come to a database that is there with the newest migration, and only then', async () => {
    const books = await PostgresBooks.open(server());
    const { db } = books.store;
    const today = await schemaOf(db);
    await sql
      .raw(
        `create or replace function turnpike_room(p_spendable bigint) returns bigint language sql immutable as 'select p_spendable / 2'`,
      )
      .execute(db);
    const earlier = await schemaOf(db);
    await migrate(db, 'postgres');
    expect(await schemaOf(db)).toEqual(earlier);
    await migrate(db, 'postgres', {
      ...STEPS,
      '9999-later': async () => undefined,
      '9999-latest': async () => undefined,
    });
    expect(await schemaOf(db)).toEqual(today);
  });

  it('agree with one another on when an allocation is of today, and a minute runs', async () => {
    const { store } = await PostgresBooks.open(server());
    const day = 86_400_000;
    const ask = async (call: string) =>
      (await sql.raw<{ answer: unknown }>(`select ${call} as answer`).execute(store.db)).rows[0]?.answer;
    // An allocation is current until midnight, and also if the clock steps back over midnight.
    for (const [now, answer] of [
      [20_777 * day - 1, true],
      [20_777 * day, true],
      [20_778 * day - 1, true],
      [20_778 * day, false],
      [20_776 * day - 1, false],
    ] as const) {
      expect([now, await ask(`turnpike_is_current_epoch(20777, ${now})`)]).toEqual([now, answer]);
    }
    for (const [now, answer] of [
      [100_000, true],
      [159_999, true],
      [160_000, false],
      [40_001, true],
      [40_000, false],
    ] as const) {
      expect([now, await ask(`turnpike_is_in_minute(100000, ${now})`)]).toEqual([now, answer]);
    }
  });
});
