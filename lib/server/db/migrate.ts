import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { adoptUnreleased } from './migrations/adopt-unreleased';
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
import type { StoreDialect } from './migrations/column-types';
import { migrationsOf, SchemaUnknown } from './migrations/recorded';
import { createFunctions } from './postgres/functions';
import type { Database } from './schema';

export type Step = (db: Kysely<unknown>, dialect: StoreDialect) => Promise<void>;

/**
 * Migrations in order, by name. A released migration is never changed, renamed or removed. A changed Postgres function
 * needs a new migration, possibly empty, because the newest migration replaces all functions.
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
};

/**
 * Migrates the database to the newest schema, in one transaction. A lock (SQLite's write lock or a Postgres advisory
 * lock) makes concurrent processes wait.
 * @throws SchemaUnknown for a database that is too old or that a newer release migrated; the first failed migration's
 * error. Nothing is changed
 */
export async function migrate(db: Database, dialect: StoreDialect, steps = STEPS): Promise<void> {
  await adoptUnreleased(db, dialect, Object.keys(steps).length === 1);
  const recorded = await migrationsOf(db, dialect);
  const newer = recorded.find((name) => !(name in steps));
  if (newer !== undefined) {
    throw new SchemaUnknown(
      `The database was last used by a newer release of Turnpike, whose migration ${newer} this one does not know. Start that release or a later one; nothing in the database was changed.`,
    );
  }
  // The migrator would first read the description of every table and column.
  if (Object.keys(steps).every((name) => recorded.includes(name))) return;
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrationsFrom(steps, dialect)) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('The database cannot be migrated.', { cause: error });
}

function migrationsFrom(steps: typeof STEPS, dialect: StoreDialect): Record<string, Migration> {
  const newest = Object.keys(steps).sort().at(-1);
  const up = (name: string, step: Step) => async (db: Kysely<unknown>) => {
    await step(db, dialect);
    if (name === newest && dialect === 'postgres') await createFunctions(db);
  };
  return Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, { up: up(name, step) }]));
}
