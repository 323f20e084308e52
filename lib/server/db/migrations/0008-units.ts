import { type Kysely, sql } from 'kysely';
import type { StoreDialect } from './column-types';
import { UNITS } from './postgres/units/units';

/** Charges are entered with units of their own, beside the credits that the rolling cap counts; notes of running calls too. */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  if (dialect === 'postgres') {
    for (const statement of UNITS) await sql.raw(statement).execute(db);
    return;
  }
  await db.schema.alterTable('running_charges').addColumn('units', 'bigint', (column) => column.notNull().defaultTo(0)).execute();
}
