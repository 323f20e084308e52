import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import Sqlite from 'libsql';
import type { Config } from '../../config/load';
import { STEPS } from '../../db/migrate';
import { createPool } from '../../db/postgres/connection';
import { DatabaseUnreachable, describeDatabase } from '../../db/postgres/failure';
import { fault, type Finding, ok, warning } from './finding';

/** What a database says of itself. Nothing in it is changed by looking. */
interface Facts {
  migrations: string[];
  profile: string | null;
}

/** Looks whether the database can be reached, is one of this release and of this profile. Never throws. */
export async function lookAtDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'profile'>,
  timeoutMs: number,
): Promise<Finding> {
  const subject = config.databaseUrl ? 'DATABASE_URL' : 'database';
  try {
    const facts = config.databaseUrl
      ? await factsOfPostgres(config.databaseUrl.reveal(), timeoutMs)
      : factsOfSqlite(join(config.dataDir, 'turnpike.db'));
    const place = config.databaseUrl
      ? describeDatabase(config.databaseUrl.reveal())
      : `turnpike.db in ${config.dataDir}`;
    return facts === null
      ? ok(subject, `${place} is made at the first start.`)
      : judge(subject, place, facts, config.profile);
  } catch (error) {
    return fault(
      subject,
      error instanceof Error ? `It cannot be used: ${error.message}` : 'It cannot be used.',
      config.databaseUrl
        ? 'See that the server runs, and that user, password and name of the database are right.'
        : 'See that the file can be read by this user; a copy of an older one is in your backup.',
    );
  }
}

function judge(subject: string, place: string, { migrations, profile }: Facts, own: string): Finding {
  const newer = migrations.find((name) => !(name in STEPS));
  if (newer !== undefined)
    return fault(
      subject,
      `${place} was used by a newer release, whose migration ${newer} this one does not know.`,
      'Start that release or a later one.',
    );
  if (profile !== null && profile !== own)
    return fault(
      subject,
      `${place} belongs to the profile ${profile}, and this configuration is ${own}.`,
      'Name another database or data folder.',
    );
  const missing = Object.keys(STEPS).filter((name) => !migrations.includes(name));
  if (migrations.length === 0) return ok(subject, `${place} is empty, and is set up at the first start.`);
  if (missing.length > 0)
    return warning(
      subject,
      `${place} is of an earlier release; the next start migrates it (${missing.join(', ')}), and that release cannot use it any more.`,
      'Make a backup before.',
    );
  return ok(subject, `${place} is of this release.`);
}

function factsOfSqlite(file: string): Facts | null {
  if (!existsSync(file)) return null;
  const connection = new Sqlite(file, { readonly: true });
  try {
    const has = (name: string): boolean =>
      connection.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(name) !== undefined;
    const rows = has('kysely_migration')
      ? (connection.prepare('select name from kysely_migration order by name').all() as { name: string }[])
      : [];
    const mark = has('installation')
      ? (connection.prepare("select value from installation where name = 'profile'").get() as
          | { value?: string }
          | undefined)
      : undefined;
    return { migrations: rows.map(({ name }) => name), profile: mark?.value ?? null };
  } finally {
    connection.close();
  }
}

async function factsOfPostgres(url: string, timeoutMs: number): Promise<Facts> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: createPool(url, { connectionsMax: 1, statementTimeoutMs: timeoutMs, onLost: () => undefined }),
    }),
  });
  try {
    const tables = await sql<{
      migrations: boolean;
      installation: boolean;
    }>`select to_regclass('kysely_migration') is not null as migrations, to_regclass('installation') is not null as installation`.execute(
      db,
    );
    const { migrations, installation } = tables.rows[0] ?? { migrations: false, installation: false };
    const done = migrations
      ? (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows
      : [];
    const mark = installation
      ? (await sql<{ value: string }>`select value from installation where name = 'profile'`.execute(db)).rows[0]
      : undefined;
    return { migrations: done.map(({ name }) => name), profile: mark?.value ?? null };
  } catch (error) {
    throw new DatabaseUnreachable(url, error);
  } finally {
    await db.destroy();
  }
}
