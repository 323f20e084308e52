import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, onTestFinished } from 'vitest';
import { DATABASE_FILE } from '@/lib/server/db/sqlite/open';
import { sqliteDialect } from '@/lib/server/db/sqlite/dialect';
import { BundledProgram, type Ended } from './bundled-program';
import type { MeteredStore } from './metered-store';
import { describeWithPostgres } from './postgres';
import { PostgresBooks } from './postgres-books';
import { SqliteBooks } from './sqlite-books';
import { tempFolder } from './temp-folder';
import type { TestPostgres } from './test-postgres';

/** Copy of a database in the state in which the previous release left it. */
export interface PreviousRelease {
  /** Runs statements without opening the database through the product's code. */
  run(statements: string): Promise<void>;
  /** Opens the database with the current code and a meter. The end of the test closes it. */
  open(): Promise<MeteredStore>;
  /** Opens the database from several processes at the same time. @returns the result of each process */
  openAtOnce(processes: number): Promise<Ended[]>;
  /** Creates an empty database with the current code. */
  openNew(): Promise<MeteredStore>;
  /** Copies the database as docs/operating.md describes for an upgrade. No process may use it during the copy. */
  copy(): Promise<PreviousRelease>;
  /**
   * Checks the migrations as the previous release does when it starts.
   *
   * @throws the error with which that release refuses the database
   */
  startPrevious(): Promise<void>;
}

/** Runs tests on databases of the previous release, on both SQLite and Postgres. */
export function describePreviousRelease(name: string, tests: (load: () => Promise<PreviousRelease>) => void): void {
  describe(`${name}, on SQLite`, () => tests(onSqlite));
  describeWithPostgres(`${name}, on Postgres`, (server) => tests(() => onPostgres(server())));
}

async function onSqlite(): Promise<PreviousRelease> {
  const release = sqliteIn(tempFolder());
  await release.run(dumpOf('sqlite'));
  return release;
}

function sqliteIn(dataDir: string): PreviousRelease {
  const file = join(dataDir, DATABASE_FILE);
  const run = async (statements: string) => {
    const connection = new DatabaseSync(file);
    connection.exec(statements);
    connection.close();
  };
  const openAtOnce = inProcesses(
    `import { openSqlite } from '@/lib/server/db/sqlite/open';
    await (await openSqlite(process.argv[2], { exclusive: false })).close();`,
    dataDir,
  );
  const copy = async () => {
    const elsewhere = tempFolder();
    // Moves the write-ahead log into the database file, because only this file is copied.
    await run('pragma wal_checkpoint(truncate)');
    copyFileSync(file, join(elsewhere, DATABASE_FILE));
    return sqliteIn(elsewhere);
  };
  const startPrevious = async () => {
    const connection = new DatabaseSync(file);
    try {
      await migrateAsPrevious(sqliteDialect(connection), 'sqlite');
    } finally {
      connection.close();
    }
  };
  return {
    run,
    open: () => SqliteBooks.open(undefined, { dataDir }),
    openAtOnce,
    openNew: () => SqliteBooks.open(),
    copy,
    startPrevious,
  };
}

async function onPostgres(server: TestPostgres): Promise<PreviousRelease> {
  const release = postgresAt(await server.createDatabase(), server);
  await release.run(dumpOf('postgres'));
  return release;
}

function postgresAt(url: string, server: TestPostgres): PreviousRelease {
  const run = async (statements: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statements);
    } finally {
      await client.end();
    }
  };
  const openAtOnce = inProcesses(
    `import { openPostgres } from '@/lib/server/db/postgres/open';
    await (await openPostgres({ reveal: () => process.argv[2] })).close();`,
    url,
  );
  const copy = async () => {
    const file = join(tempFolder(), 'turnpike.dump');
    execFileSync('pg_dump', ['--format=custom', '--file', file, url]);
    const elsewhere = await server.createDatabase();
    execFileSync('pg_restore', ['--no-owner', '--dbname', elsewhere, file]);
    return postgresAt(elsewhere, server);
  };
  const startPrevious = async () => {
    const pool = new pg.Pool({ connectionString: url });
    try {
      await migrateAsPrevious(new PostgresDialect({ pool }), 'postgres');
    } finally {
      await pool.end();
    }
  };
  return {
    run,
    open: () => PostgresBooks.on(url),
    openAtOnce,
    openNew: () => PostgresBooks.open(server),
    copy,
    startPrevious,
  };
}

/**
 * Checks the migrations with Kysely's Migrator, as the previous release does. Its known migrations are those that its
 * database lists.
 */
async function migrateAsPrevious(dialect: Dialect, name: 'sqlite' | 'postgres'): Promise<void> {
  const known = new Set(dumpOf(name).match(/\b\d{4}-[a-z][a-z-]+/g));
  const done = {
    up: () => Promise.reject(new Error('The previous release has a migration that its own database lacks.')),
  };
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect }),
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(Array.from(known, (each) => [each, done]))) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
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
