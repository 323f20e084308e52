import { type Kysely, sql } from 'kysely';
import type { StoreDialect } from './column-types';

/**
 * On Postgres, lets one statement charge several calls of one caller. Drops a function that `createFunctions` creates
 * again with additional optional arguments. Gateways of the previous release can also call the new function.
 */
export async function addHotCallers(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  if (dialect !== 'postgres') return;
  await sql`drop function if exists turnpike_charge_at_once(
    bigint[], bigint[], text[], text[], bigint[], bigint[], bigint[], bigint[], text[], text[], text[], jsonb)`.execute(
    db,
  );
}
