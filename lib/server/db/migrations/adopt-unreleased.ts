import { sql } from 'kysely';
import { createFunctions } from '../postgres/functions';
import type { Database } from '../schema';
import type { StoreDialect } from './column-types';
import { migrationsOf, SchemaUnknown } from './recorded';

const BASELINE = '0001-baseline';

/** What came before the first release; together they come to the baseline. */
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
 * Takes over a database from before the first release: it has the tables of the baseline, which is recorded in place of
 * the migrations that it was made by. Several processes may do so at once.
 * @param bringsFunctions whether it gets the functions of Postgres here: where steps follow, the newest brings them, since
 *   functions may name columns that are not there before
 * @throws SchemaUnknown where it lacks some of those migrations; nothing is changed then.
 */
export async function adoptUnreleased(db: Database, dialect: StoreDialect, bringsFunctions: boolean): Promise<void> {
  if (!isUnreleased(await migrationsOf(db, dialect))) return;
  await db.transaction().execute(async (transaction) => {
    // On SQLite the transaction has the write lock already.
    if (dialect === 'postgres') await sql`lock table kysely_migration in share row exclusive mode`.execute(transaction);
    // Another process may have been quicker.
    const done = await migrationsOf(transaction, dialect);
    if (isUnreleased(done)) await adopt(transaction, done, bringsFunctions && dialect === 'postgres');
  });
}

const isUnreleased = (done: readonly string[]): boolean => done.some((name) => UNRELEASED.includes(name));

async function adopt(db: Database, done: readonly string[], bringsFunctions: boolean): Promise<void> {
  if (!UNRELEASED.every((name) => done.includes(name))) {
    throw new SchemaUnknown(
      `The database was made by a version from before the first release (its last migration is ${done.at(-1)}), which cannot be upgraded. Use another database or data folder, or delete this one; nothing in it was changed.`,
    );
  }
  await sql`delete from kysely_migration where name in (${sql.join(UNRELEASED)})`.execute(db);
  await sql`insert into kysely_migration (name, timestamp) values (${BASELINE}, ${new Date().toISOString()})`.execute(
    db,
  );
  if (bringsFunctions) await createFunctions(db);
}
