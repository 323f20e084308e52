import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createBaseline } from './migrations/0001-baseline';
import { addPaymentCalls } from './migrations/0002-payments-for-calls';
import { createInstallation } from './migrations/0003-installation';
import { addKeyBudgets } from './migrations/0004-key-budgets';
import { addRetentionAndAudit } from './migrations/0005-retention-and-audit';
import { addKeyMakers } from './migrations/0006-key-makers';
import { addPrepaidIndex } from './migrations/0007-prepaid-movements';
import { addRequests } from './migrations/0008-requests';
import { addWithdrawals } from './migrations/0009-withdrawals';
import { addReceipts } from './migrations/0010-receipts';
import { addLinearUpkeep } from './migrations/0011-linear-upkeep';
import { addPaymentIdentifiers } from './migrations/0012-payment-identifiers';
import { addMeasurements } from './migrations/0013-measurements';
import { addChargeSums } from './migrations/0014-charge-sums';
import { addHotCallers } from './migrations/0015-hot-callers';
import { addAttestedHistory } from './migrations/0016-attested-history';
import { shrinkLedgerRows } from './migrations/0017-smaller-rows';
import type { StoreDialect } from './migrations/column-types';
import { createFunctions } from './postgres/functions';
import type { Database } from './schema';

export type Step = (db: Kysely<unknown>, dialect: StoreDialect) => Promise<void>;

/**
 * Migrations in order, by name. A released migration is never changed, renamed or removed. The newest migration
 * replaces all Postgres functions, so a changed function needs a new migration, which may be empty.
 */
export const STEPS: Readonly<Record<string, Step>> = {
  '0001-baseline': createBaseline,
  '0002-payments-for-calls': addPaymentCalls,
  '0003-installation': createInstallation,
  '0004-key-budgets': addKeyBudgets,
  '0005-retention-and-audit': addRetentionAndAudit,
  '0006-key-makers': addKeyMakers,
  '0007-prepaid-movements': addPrepaidIndex,
  '0008-requests': addRequests,
  '0009-withdrawals': addWithdrawals,
  '0010-receipts': addReceipts,
  '0011-linear-upkeep': addLinearUpkeep,
  '0012-payment-identifiers': addPaymentIdentifiers,
  '0013-measurements': addMeasurements,
  '0014-charge-sums': addChargeSums,
  '0015-hot-callers': addHotCallers,
  '0016-attested-history': addAttestedHistory,
  '0017-smaller-rows': shrinkLedgerRows,
  '0018-charges-after-waits': async () => undefined,
};

/**
 * Migrates the database to the newest schema in one transaction. Concurrent processes wait for SQLite's write lock or
 * a Postgres advisory lock.
 * @throws SchemaUnknown if the database coordinates partitions, is too old, or is of a newer release; or a failed
 * migration's error. Nothing is changed
 */
export async function migrate(db: Database, dialect: StoreDialect, steps = STEPS): Promise<void> {
  await adoptUnreleased(db, dialect, Object.keys(steps).length === 1);
  const recorded = await migrationsOf(db, dialect);
  const newer = recorded.find((name) => !(name in steps));
  if (newer !== undefined) {
    throw new SchemaUnknown(
      `The database was last used by a newer release of Turnpike, whose migration ${newer} this release does not have. Start that release or a later one; nothing in the database was changed.`,
    );
  }
  // Kysely's migrator would read the description of every table.
  if (Object.keys(steps).every((name) => recorded.includes(name))) return;
  if (dialect === 'postgres' && (await isCoordinator(db))) {
    throw new SchemaUnknown(
      'The database is the coordinator of partitions, and this release has migrations for all of them. Stop all gateways, run "drop schema routed cascade" on the coordinator, and set it up again as deploy/plproxy/coordinator.sql says. Nothing in the database was changed.',
    );
  }
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrationsFrom(steps, dialect)) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('The database cannot be migrated.', { cause: error });
}

/** Migrates an empty or current database. @throws SchemaUnknown for earlier releases */
export async function migrateEmpty(db: Database, dialect: StoreDialect): Promise<void> {
  if (await isOfEarlierRelease(db, dialect))
    throw new SchemaUnknown(
      'The database is from an earlier release, and this command would migrate it. Use that release for the command. Nothing was changed.',
    );
  await migrate(db, dialect);
}

export async function isOfEarlierRelease(db: Database, dialect: StoreDialect): Promise<boolean> {
  const recorded = await migrationsOf(db, dialect);
  return recorded.length > 0 && !Object.keys(STEPS).every((name) => recorded.includes(name));
}

function migrationsFrom(steps: typeof STEPS, dialect: StoreDialect): Record<string, Migration> {
  const newest = Object.keys(steps).sort().at(-1);
  const up = (name: string, step: Step) => async (db: Kysely<unknown>) => {
    await step(db, dialect);
    if (name === newest && dialect === 'postgres') await createFunctions(db);
  };
  return Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, { up: up(name, step) }]));
}

/** Thrown if this release cannot use the database's schema. The message says what to do. */
export class SchemaUnknown extends Error {
  override readonly name = 'SchemaUnknown';
}

async function migrationsOf(db: QueryExecutorProvider, dialect: StoreDialect): Promise<string[]> {
  const { rows } = await TABLES[dialect].execute(db);
  if (rows.length === 0) return [];
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return done.rows.map(({ name }) => name);
}

/** A migration on a coordinator (deploy/plproxy) would move the partitions' tables to it. */
async function isCoordinator(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql`select 1 where current_schema() = 'routed'`.execute(db);
  return rows.length > 0;
}

const TABLES = {
  sqlite: sql`select 1 from sqlite_master where type = 'table' and name = 'kysely_migration'`,
  postgres: sql`select 1 where to_regclass('kysely_migration') is not null`,
} as const;

const BASELINE = '0001-baseline';

/** Migrations before the first release. Together they create the baseline's tables. */
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
 * Adopts a database from before the first release. Its tables equal the baseline's, so this only records the baseline.
 * Safe for concurrent processes.
 * @param bringsFunctions false if a later migration creates the Postgres functions
 * @throws SchemaUnknown if the database lacks some unreleased migrations; nothing is changed
 */
async function adoptUnreleased(db: Database, dialect: StoreDialect, bringsFunctions: boolean): Promise<void> {
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
