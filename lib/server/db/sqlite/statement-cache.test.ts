import { DatabaseSync } from 'node:sqlite';
import { type Generated, Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqliteDialect, withStatementCache } from './dialect';

interface Shelf {
  book: { id: Generated<number>; title: string };
}

describe('statements that are prepared once', () => {
  let connection: DatabaseSync;
  let prepared: string[];
  let db: Kysely<Shelf>;

  beforeEach(async () => {
    connection = new DatabaseSync(':memory:');
    prepared = [];
    const prepare = connection.prepare.bind(connection);
    connection.prepare = ((text: string) => {
      prepared.push(text);
      return prepare(text);
    }) as typeof connection.prepare;
    db = new Kysely<Shelf>({ dialect: sqliteDialect(connection) });
    await sql`create table book (id integer primary key, title text unique not null)`.execute(db);
  });
  afterEach(() => db.destroy());

  const titled = (title: string) => db.selectFrom('book').selectAll().where('title', '=', title).execute();
  const times = (start: string): number => prepared.filter((text) => text.startsWith(start)).length;

  it('serve each call with its own values', async () => {
    for (const title of ['one', 'two']) await db.insertInto('book').values({ title }).execute();
    expect([await titled('one'), await titled('two'), await titled('three')]).toEqual([
      [{ id: 1, title: 'one' }],
      [{ id: 2, title: 'two' }],
      [],
    ]);
    expect([times('insert'), times('select')]).toEqual([1, 1]);
  });

  it('count the rows of each call, and its id', async () => {
    const inserted = [
      await db.insertInto('book').values({ title: 'one' }).executeTakeFirst(),
      await db.insertInto('book').values({ title: 'two' }).executeTakeFirst(),
    ];
    expect(inserted.map(({ insertId }) => insertId)).toEqual([1n, 2n]);
    const remove = (id: number) => db.deleteFrom('book').where('id', '=', id).executeTakeFirst();
    expect([(await remove(1)).numDeletedRows, (await remove(1)).numDeletedRows]).toEqual([1n, 0n]);
  });

  it('go on after a failure, with and without rows to return, and leave no transaction open', async () => {
    const insert = (title: string) => db.insertInto('book').values({ title }).execute();
    const insertReturning = (title: string) => db.insertInto('book').values({ title }).returning('title').execute();
    await insert('one');
    await expect(insert('one')).rejects.toThrow('UNIQUE');
    await insert('two');
    await expect(insertReturning('two')).rejects.toThrow('UNIQUE');
    await expect(insertReturning('three')).resolves.toEqual([{ title: 'three' }]);
    expect(connection.isTransaction).toBe(false);
    expect(times('insert')).toBe(2);
  });

  it('see the columns that a change of the schema added', async () => {
    await db.insertInto('book').values({ title: 'one' }).execute();
    await titled('one');
    await sql`alter table book add column author text default 'nobody'`.execute(db);
    expect(await titled('one')).toEqual([{ id: 1, title: 'one', author: 'nobody' }]);
    expect(times('select')).toBe(1);
  });

  it('begin and roll back as often as they are asked', async () => {
    const attempt = () =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('book').values({ title: 'one' }).execute();
        throw new Error('taken back');
      });
    await expect(attempt()).rejects.toThrow('taken back');
    await expect(attempt()).rejects.toThrow('taken back');
    expect(await titled('one')).toEqual([]);
    expect([times('begin'), times('rollback')]).toEqual([1, 1]);
  });

  it('are forgotten, the one that was not used for longest first', () => {
    const few = withStatementCache(connection, 2);
    prepared.length = 0;
    for (const text of ['select 1', 'select 2', 'select 1', 'select 3', 'select 1', 'select 2']) few.prepare(text);
    expect(prepared).toEqual(['select 1', 'select 2', 'select 3', 'select 2']);
  });

  it('are not kept of long texts', () => {
    const cache = withStatementCache(connection);
    const text = `select 1 in (${Array.from({ length: 2_000 }, (_none, index) => index).join(',')})`;
    prepared.length = 0;
    cache.prepare(text);
    cache.prepare(text);
    expect(prepared).toHaveLength(2);
  });
});
