import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../../config/load';
import { STEPS } from '../../db/migrate';
import { createPool } from '../../db/postgres/connection';
import { DatabaseUnreachable, describeDatabase } from '../../db/postgres/failure';
import { fault, type Finding, ok, warning } from './finding';

interface Facts {
  migrations: string[];
  profile: string | null;
}

/** Checks that the database is reachable, and belongs to this release and profile. Changes nothing. Never throws. */
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
      ? ok(subject, `${place} is created at the first start.`)
      : judge(subject, place, facts, config.profile);
  } catch (error) {
    return fault(
      subject,
      error instanceof Error ? `The database cannot be used: ${error.message}` : 'The database cannot be used.',
      config.databaseUrl
        ? 'Check that the server runs, and that the user, password and name of the database are right.'
        : 'Check that this user can read the file. If the file is damaged, restore a backup.',
    );
  }
}

function judge(subject: string, place: string, { migrations, profile }: Facts, own: string): Finding {
  const newer = migrations.find((name) => !(name in STEPS));
  if (newer !== undefined)
    return fault(
      subject,
      `${place} was used by a newer release with the migration ${newer}, which this release does not have.`,
      'Start that release or a later one.',
    );
  if (profile !== null && profile !== own)
    return fault(
      subject,
      `${place} belongs to the profile ${profile}, but this configuration has the profile ${own}.`,
      'Set another database or data folder.',
    );
  const missing = Object.keys(STEPS).filter((name) => !migrations.includes(name));
  if (migrations.length === 0) return ok(subject, `${place} is empty. The first start sets it up.`);
  if (missing.length > 0)
    return warning(
      subject,
      `${place} is from an earlier release. The next start migrates it (${missing.join(', ')}); after that, the earlier release cannot use it.`,
      'Make a backup with the earlier release before the next start.',
    );
  return ok(subject, `${place} is from this release.`);
}

function factsOfSqlite(file: string): Facts | null {
  if (!existsSync(file)) return null;
  const connection = new DatabaseSync(file, { readOnly: true });
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
