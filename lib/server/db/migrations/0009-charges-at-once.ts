import { type Kysely, sql } from 'kysely';
import type { StoreDialect } from './column-types';
import { CALLS } from './postgres/at-once/calls';
import { CHARGE } from './postgres/at-once/charge';
import { CREDITS } from './postgres/at-once/credits';

/** On Postgres, calls can be admitted and charged in one step, after they were made. */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  if (dialect !== 'postgres') return;
  for (const statement of [...CREDITS, ...CALLS, ...CHARGE]) await sql.raw(statement).execute(db);
}
