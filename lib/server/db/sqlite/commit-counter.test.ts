import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '@/test/temp-folder';
import { CommitCounter, nextCount } from './commit-counter';

/** Guards that the counter notices every connection's commit, and counts nothing else. */

function open() {
  const file = join(tempFolder(), 'test.db');
  const connect = (): DatabaseSync => {
    const connection = new DatabaseSync(file);
    connection.exec('pragma journal_mode = WAL');
    connection.exec('pragma cache_size = 5');
    onTestFinished(() => void connection.close());
    return connection;
  };
  const connections = [connect(), connect(), connect()] as const;
  connections[0].exec('create table t (x blob)');
  return { file, connections, counter: new CommitCounter(file) };
}

const COMMITS: Readonly<Record<string, string>> = {
  insert: 'insert into t values (1)',
  several:
    'begin immediate; insert into t values (1); delete from t where rowid % 3 = 0; insert into t values (2); commit',
  spilling:
    'begin immediate; with recursive n(i) as (select 1 union all select i + 1 from n where i < 40) insert into t select randomblob(4000) from n; commit',
};
const NO_COMMITS: Readonly<Record<string, string>> = {
  rollback: 'begin immediate; insert into t values (1); rollback',
  nothing: 'begin immediate; commit',
  reading: 'select count(*) from t',
  restart: 'pragma wal_checkpoint(RESTART)',
  truncate: 'pragma wal_checkpoint(TRUNCATE)',
  passive: 'pragma wal_checkpoint(PASSIVE)',
};

it('counts each commit of each connection once, whatever else is done in between', () => {
  const steps = fc.array(
    fc.record({ by: fc.nat(2), kind: fc.constantFrom(...Object.keys(COMMITS), ...Object.keys(NO_COMMITS)) }),
    { maxLength: 60 },
  );
  const { connections, counter } = open();
  fc.assert(
    fc.property(steps, (taken) => {
      for (const { by, kind } of taken) {
        const before = counter.read();
        connections[by]?.exec(COMMITS[kind] ?? NO_COMMITS[kind] ?? '');
        expect(counter.read()).toBe(kind in COMMITS ? nextCount(before) : before);
      }
    }),
    { numRuns: 40 },
  );
});

it('counts the commits of another process', () => {
  const { file, counter } = open();
  const before = counter.read();
  const script = `const { DatabaseSync } = require('node:sqlite'); const c = new DatabaseSync(${JSON.stringify(file)}); c.exec('insert into t values (7)'); c.close();`;
  expect(spawnSync(process.execPath, ['-e', script]).status).toBe(0);
  expect(counter.read()).toBe(nextCount(before));
});
