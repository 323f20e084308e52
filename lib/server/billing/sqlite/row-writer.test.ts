import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { RowWriter } from './row-writer';

function table(conflict?: string): { connection: DatabaseSync; writer: RowWriter; rows: () => unknown[] } {
  const connection = new DatabaseSync(':memory:');
  connection.exec('create table t (id integer primary key, value integer check (value >= 0), note text)');
  const writer = new RowWriter(connection, 'insert into t (id, value, note)', 3, conflict);
  return { connection, writer, rows: () => connection.prepare('select id, value, note from t order by rowid').all() };
}

describe('rows are written whole, once and in order', () => {
  it('in groups of any size from 0 to 200', () => {
    const { connection, writer, rows } = table();
    for (let size = 0; size <= 200; size++) {
      for (let id = 1; id <= size; id++) writer.add(id, size, id % 2 ? null : `n${id}`);
      writer.flush();
      expect(rows()).toEqual(
        Array.from({ length: size }, (_none, index) => ({
          id: index + 1,
          value: size,
          note: (index + 1) % 2 ? null : `n${index + 1}`,
        })),
      );
      writer.flush();
      connection.exec('delete from t');
    }
  });

  it('adds up where a group names one row several times', () => {
    const { writer, rows } = table('on conflict (id) do update set value = value + excluded.value');
    for (let i = 0; i < 100; i++) writer.add(i % 3, 1, '');
    writer.flush();
    expect(rows()).toEqual([
      { id: 0, value: 34, note: '' },
      { id: 1, value: 33, note: '' },
      { id: 2, value: 33, note: '' },
    ]);
  });
});

describe('nothing is carried over to a later flush', () => {
  it('of rows that failed', () => {
    const { writer, rows } = table();
    writer.add(1, -1, '');
    expect(() => writer.flush()).toThrow();
    writer.add(2, 2, '');
    writer.flush();
    expect(rows()).toEqual([{ id: 2, value: 2, note: '' }]);
  });

  it('of rows that were discarded', () => {
    const { writer, rows } = table();
    writer.add(1, 1, '');
    writer.discard();
    writer.flush();
    expect(rows()).toEqual([]);
  });
});
