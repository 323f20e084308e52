import { type Migration, Migrator } from 'kysely/migration';
import * as spine from './migrations/0001-spine';
import * as wallets from './migrations/0002-wallets';
import * as payments from './migrations/0003-payments';
import * as keyUsage from './migrations/0004-key-usage';
import * as callsTogether from './migrations/0005-calls-together';
import * as longCalls from './migrations/0006-long-calls';
import * as videoRequests from './migrations/0007-video-requests';
import * as units from './migrations/0008-units';
import * as chargesAtOnce from './migrations/0009-charges-at-once';
import * as openPayments from './migrations/0010-open-payments';
import * as keptAnswers from './migrations/0011-kept-answers';
import * as paymentAttempts from './migrations/0012-payment-attempts';
import type { StoreDialect } from './migrations/column-types';
import type { Database } from './schema';

/** In order; a name, once released, is never changed or removed. */
const migrations = (dialect: StoreDialect): Readonly<Record<string, Migration>> => ({
  '0001-spine': { up: (db) => spine.up(db, dialect) },
  '0002-wallets': { up: (db) => wallets.up(db, dialect) },
  '0003-payments': { up: (db) => payments.up(db, dialect) },
  '0004-key-usage': { up: (db) => keyUsage.up(db, dialect) },
  '0005-calls-together': { up: (db) => callsTogether.up(db, dialect) },
  '0006-long-calls': { up: (db) => longCalls.up(db, dialect) },
  '0007-video-requests': { up: (db) => videoRequests.up(db, dialect) },
  '0008-units': { up: (db) => units.up(db, dialect) },
  '0009-charges-at-once': { up: (db) => chargesAtOnce.up(db, dialect) },
  '0010-open-payments': { up: (db) => openPayments.up(db) },
  '0011-kept-answers': { up: (db) => keptAnswers.up(db, dialect) },
  '0012-payment-attempts': { up: (db) => paymentAttempts.up(db, dialect) },
});

/**
 * Brings the database to the newest schema, in one transaction. Several processes may do so at once: one migrates
 * (on SQLite it holds the write lock, on Postgres an advisory lock), the others wait and find it done.
 * @throws the first migration's error; nothing is changed then.
 */
export async function migrate(db: Database, dialect: StoreDialect): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations(dialect)) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('The database cannot be migrated.', { cause: error });
}
