import { sql } from 'kysely';
import { createFunctions } from '../postgres/functions';
import type { Database } from '../schema';
import type { StoreDialect } from './column-types';
import { migrationsOf, SchemaUnknown } from './recorded';

const BASELINE = '0001-baseline';

/** Migrations before the first release. Together they equal the baseline. */
const UNRELEASED = [
  '0001-spine',
  '0002-wallets',
  '0003-payments',
  '0004-key-usage',
  '0005-calls-together',
  '0006-long-calls',
  '0007-video-requests',
  '0008-units',
  '0009-charges-at-once',
  '0010-open-payments',
  '0011-kept-answers',
  '0012-payment-attempts',
];

/**
 * Adopts a database from before the first release, which has the baseline's tables. Records the baseline in place of
 * the unreleased migrations. Safe for concurrent processes.
 * @param bringsFunctions true to create the Postgres functions here; false if a later migration creates them
 * @throws SchemaUnknown if the database lacks some unreleased migrations; nothing is changed
 */
export async function adoptUnreleased(db: Database, dialect: StoreDialect, bringsFunctions: boolean): Promise<void> {
  if (!isUnreleased(await migrationsOf(db, dialect))) return;
  await db.transaction().execute(async (transaction) => {
    // On SQLite the transaction already holds the write lock.
    if (dialect === 'postgres') await sql`lock table kysely_migration in share row exclusive mode`.execute(transaction);
    // Another process may have adopted the database first.
    const done = await migrationsOf(transaction, dialect);
    if (isUnreleased(done)) await adopt(transaction, done, bringsFunctions && dialect === 'postgres');
  });
}

const isUnreleased = (done: readonly string[]): boolean => done.some((name) => UNRELEASED.includes(name));

async function adopt(db: Database, done: readonly string[], bringsFunctions: boolean): Promise<void> {
  if (!UNRELEASED.every((name) => done.includes(name))) {
    throw new SchemaUnknown(
      `The database was made by a version from before the first release (its last migration is ${done.at(-1)}), which cannot be upgraded. Use another database or data folder, or delete this one. Nothing was changed.`,
    );
  }
  await sql`delete from kysely_migration where name in (${sql.join(UNRELEASED)})`.execute(db);
  await sql`insert into kysely_migration (name, timestamp) values (${BASELINE}, ${new Date().toISOString()})`.execute(
    db,
  );
  if (bringsFunctions) await createFunctions(db);
}
