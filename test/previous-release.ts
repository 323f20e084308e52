import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'libsql';
import pg from 'pg';
import { describe, onTestFinished } from 'vitest';
import { BundledProgram, type Ended } from './bundled-program';
import type { MeteredStore } from './metered-store';
import { describeWithPostgres } from './postgres';
import { PostgresBooks } from './postgres-books';
import { SqliteBooks } from './sqlite-books';
import { tempFolder } from './temp-folder';
import type { TestPostgres } from './test-postgres';

/** A copy of the database that the previous release left, still as that release left it. */
export interface PreviousRelease {
  /** Runs statements in it, without opening it as the product does. */
  run(statements: string): Promise<void>;
  /** Opens it as today's code does, with a meter. Closed with the test. */
  open(): Promise<MeteredStore>;
  /** Has several processes open it at the same time. @returns how each ended */
  openAtOnce(processes: number): Promise<Ended[]>;
  /** An empty database beside it, as today's code makes it. */
  openNew(): Promise<MeteredStore>;
}

/** Tests of databases that were made and filled by the previous release, on SQLite and on Postgres. */
export function describePreviousRelease(name: string, tests: (load: () => Promise<PreviousRelease>) => void): void {
  describe(`${name}, on SQLite`, () => tests(onSqlite));
  describeWithPostgres(`${name}, on Postgres`, (server) => tests(() => onPostgres(server())));
}

async function onSqlite(): Promise<PreviousRelease> {
  const dataDir = tempFolder();
  const run = async (statements: string) => {
    const connection = new Sqlite(join(dataDir, 'turnpike.db'));
    connection.exec(statements);
    connection.close();
  };
  await run(dumpOf('sqlite'));
  const openAtOnce = inProcesses(`import { openSqlite } from '@/lib/server/db/sqlite/open';
    await (await openSqlite(process.argv[2], { exclusive: false })).close();`, dataDir);
  return { run, open: () => SqliteBooks.open(undefined, { dataDir }), openAtOnce, openNew: () => SqliteBooks.open() };
}

async function onPostgres(server: TestPostgres): Promise<PreviousRelease> {
  const url = await server.createDatabase();
  const run = async (statements: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statements);
    } finally {
      await client.end();
    }
  };
  await run(dumpOf('postgres'));
  const openAtOnce = inProcesses(`import { openPostgres } from '@/lib/server/db/postgres/open';
    await (await openPostgres({ reveal: () => process.argv[2] })).close();`, url);
  return { run, open: () => PostgresBooks.on(url), openAtOnce, openNew: () => PostgresBooks.open(server) };
}

function inProcesses(text: string, place: string): PreviousRelease['openAtOnce'] {
  return async (processes) => {
    const program = await BundledProgram.make({ text });
    onTestFinished(() => program.remove());
    return Promise.all(Array.from({ length: processes }, () => program.run([place])));
  };
}

function dumpOf(dialect: 'sqlite' | 'postgres'): string {
  return readFileSync(join(import.meta.dirname, 'databases', `0012.${dialect}.sql`), 'utf8');
}
