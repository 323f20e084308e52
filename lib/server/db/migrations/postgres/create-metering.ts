import { type Kysely, sql } from 'kysely';
import { CALLS } from './calls';
import { LEASES } from './leases';
import { RESERVE } from './reserve';
import { SETTLE } from './settle';
import { STATE } from './state';

/**
 * What Postgres has beyond the common tables, since there every gateway is one of many: reservations as rows, what
 * they hold as sums in the caller's meter, and the functions that reserve and settle.
 */
export async function createPostgresMetering(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...TABLES, ...STATE, ...LEASES, ...RESERVE, ...SETTLE, ...CALLS]) await sql.raw(statement).execute(db);
}

/**
 * A reservation belongs to a process that may die: past `expires_at` it counts no more. Its holds are in the meter's
 * sums until it is deleted, and `lease_due_at` is a time before which none of the caller's can have expired.
 * `credits_total` are the credits of the 24 hours that end with the minute `credits_minute`.
 * A meter is written twice a call, so its pages are left half empty: new versions of a row stay on its page.
 */
const TABLES = [
  `alter table meters
     add held_diem bigint not null default 0,
     add held_bundled bigint not null default 0,
     add held_usd bigint not null default 0,
     add held_x402 bigint not null default 0,
     add held_credits bigint not null default 0,
     add credits_minute integer not null default 0,
     add credits_total bigint not null default 0,
     add lease_due_at bigint,
     add constraint meters_not_negative check (least(diem, bundled, usd, x402, held_diem, held_bundled, held_usd, held_x402, held_credits) >= 0)`,
  'alter table meters set (fillfactor = 50)',
  `create table reservations (
     account_id bigint not null,
     id uuid not null,
     api_key_id bigint,
     purse text not null,
     diem bigint not null,
     bundled bigint not null,
     usd bigint not null,
     x402 bigint not null,
     credits bigint not null,
     limit_period text,
     idempotency_key text,
     fingerprint text,
     created_at bigint not null,
     expires_at bigint not null,
     constraint reservations_pk primary key (account_id, id)
   )`,
  'create unique index reservations_by_idempotency_key on reservations (account_id, idempotency_key) where idempotency_key is not null',
];
