import { type Kysely, sql } from 'kysely';
import type { StoreDialect } from './column-types';
import { FORGET_RECORDS } from './postgres/forget-records';

/** When a payment was submitted last; and on Postgres, forgetting records goes past the callers that are busy. */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await db.schema.alterTable('payments').addColumn('tried_at', 'bigint').execute();
  if (dialect === 'postgres') await sql.raw(FORGET_RECORDS).execute(db);
}
