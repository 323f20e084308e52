import { type Kysely, sql } from 'kysely';
import { ALLOCATE } from './allocate';
import { CALLS } from './calls';
import { RESERVE } from './reserve';
import { SETTLE } from './settle';
import { STATE } from './state';

/** Teaches the functions of the meter epochs of the daily pot, and to say what is left. */
export async function createPostgresAllocation(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...TABLES, ...STATE, ...SETTLE, ...RESERVE, ...CALLS, ...ALLOCATE]) await sql.raw(statement).execute(db);
}

const TABLES = [
  // Where a reservation was made before, it held of a pot that has no epoch.
  'alter table reservations add diem_epoch integer not null default 0',
];
