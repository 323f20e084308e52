import { type Kysely, sql } from 'kysely';
import type { StoreDialect } from './column-types';
import { CALLS } from './postgres/together/calls';
import { RESERVE } from './postgres/together/reserve';
import { SETTLE } from './postgres/together/settle';

/** On Postgres, the plain calls of a batch are reserved and settled together, in one statement each. */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  if (dialect !== 'postgres') return;
  for (const statement of [...RESERVE, ...SETTLE, ...CALLS]) await sql.raw(statement).execute(db);
}
