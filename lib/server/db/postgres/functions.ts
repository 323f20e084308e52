import { type QueryExecutorProvider, sql } from 'kysely';
import allocate from './functions/allocate.sql';
import appendOnly from './functions/append-only.sql';
import chargeAtOnce from './functions/charge-at-once.sql';
import expire from './functions/expire.sql';
import idempotencyRecords from './functions/idempotency-records.sql';
import ledgerRows from './functions/ledger-rows.sql';
import meter from './functions/meter.sql';
import meterRow from './functions/meter-row.sql';
import reserve from './functions/reserve.sql';
import reserveTogether from './functions/reserve-together.sql';
import settle from './functions/settle.sql';
import settleTogether from './functions/settle-together.sql';
import sumLedger from './functions/sum-ledger.sql';
import time from './functions/time.sql';

/** Sources of the Postgres functions. Each function comes after the functions that it calls. */
export const POSTGRES_FUNCTIONS: readonly string[] = [
  ...[time, meterRow],
  ...[appendOnly, ledgerRows, sumLedger, idempotencyRecords],
  // Functions for one call.
  ...[reserve, settle, expire],
  // Functions for batches of calls.
  ...[meter, reserveTogether, settleTogether, chargeAtOnce],
  allocate,
];

/**
 * Creates or replaces the functions and their triggers. Before a migration changes a function's arguments or result, it
 * must drop the function.
 */
export async function createFunctions(db: QueryExecutorProvider): Promise<void> {
  for (const statements of POSTGRES_FUNCTIONS) await sql.raw(statements).execute(db);
}
