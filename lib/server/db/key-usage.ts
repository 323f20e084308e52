import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { DAY_MS, epochAt } from '@/lib/protocol/allocation/epoch';
import { periodStart } from '@/lib/protocol/api-keys/limit-period';
import { lockAccount } from './accounts';
import type { Database, LimitPeriod } from './schema';

/** Age from which all charges are certainly in the ledger. The daily sums exclude younger charges. */
const SETTLED_AFTER_MS = 5 * 60_000;
/** Age at which a read extends the stored daily sums. Earlier reads only add later charges to their results. */
const CARRY_AFTER_MS = 60 * 60_000;
const NOTHING_CARRIED = -1;
const SLICE_ROWS = 20_000;
const CATCH_UP_MS = 2_000;
/** Rows per slice, and time per transaction, where nobody waits for the sums. */
const CARRIED_ROWS = 2_000;
const TOGETHER_MS = 5;

/** Spending of a key in nano-USD, and its last charge in Unix milliseconds. */
export interface KeyUsage {
  currentPeriod: Spent;
  total: Spent;
  lastUsedAt: number | null;
}

/** `diem` is from the daily allocation, `usd` from all other balances. */
export interface Spent {
  usd: number;
  diem: number;
}

/** Usage of keys, complete up to `asOf`. */
interface AccountUsage {
  asOf: number;
  of(key: { id: number; limitPeriod: LimitPeriod }): KeyUsage;
}

/**
 * Reads the spending of an account's keys from the ledger. Stores and extends daily sums per key here, so that a charge
 * needs no further write and a call reads only the charges since. With millions of new charges, `asOf` says how far the
 * sums reach, and the next call continues.
 */
export async function readKeyUsage(db: Database, accountId: number, now = Date.now()): Promise<AccountUsage> {
  const through = await carryForward(db, accountId, now);
  const isRecent = through >= now - CARRY_AFTER_MS;
  const rows = await daysOf(db, accountId);
  // No upper bound, because on Postgres the database's clock dates charges and may be ahead of this machine's.
  if (isRecent) rows.push(...(await sumCharges(db, accountId, through, Number.MAX_SAFE_INTEGER)));
  return {
    asOf: isRecent ? now : through,
    of: (key) =>
      usageOf(
        rows.filter((row) => row.api_key_id === key.id),
        key.limitPeriod,
        now,
      ),
  };
}

interface KeyDay {
  api_key_id: number;
  /** UTC days since 1970. */
  day: number;
  usd: number;
  diem: number;
  last_used_at: number;
}

/**
 * Extends the daily sums of these accounts' keys to every charge up to `until`, a time well in the past. Keeps
 * transactions to some milliseconds, because on SQLite they stop this thread.
 */
export async function carryKeyUsage(db: Database, accountIds: Iterable<number>, until: number): Promise<void> {
  const left = new Set(accountIds);
  while (left.size > 0) {
    await db.transaction().execute(async (transaction) => {
      const deadline = performance.now() + TOGETHER_MS;
      for (const accountId of left) {
        if ((await sumSlice(transaction, accountId, until, CARRIED_ROWS)) >= until) left.delete(accountId);
        if (performance.now() > deadline) return;
      }
    });
    await turn();
  }
}

/** Extends the daily sums slice by slice. @returns the time up to which they reach, in Unix milliseconds */
async function carryForward(db: Database, accountId: number, now: number): Promise<number> {
  const until = now - SETTLED_AFTER_MS;
  const carried = await markOf(db, accountId);
  if (carried >= now - CARRY_AFTER_MS) return carried;
  const deadline = performance.now() + CATCH_UP_MS;
  for (;;) {
    const through = await db.transaction().execute((transaction) => sumSlice(transaction, accountId, until));
    if (through >= until || performance.now() > deadline) return through;
    await turn();
  }
}

/** Adds the next slice of charges to the daily sums. A concurrent caller waits, and then adds a later one. */
async function sumSlice(db: Database, accountId: number, until: number, rowsMax = SLICE_ROWS): Promise<number> {
  await lockAccount(db, accountId);
  const from = await markOf(db, accountId);
  if (from >= until) return from;
  const last = await db
    .selectFrom('ledger')
    .select('created_at')
    .where('account_id', '=', accountId)
    .where('created_at', '>', from)
    .where('created_at', '<=', until)
    .orderBy('created_at')
    .offset(rowsMax)
    .limit(1)
    .executeTakeFirst();
  const through = last?.created_at ?? until;
  for (const row of await sumCharges(db, accountId, from, through)) await addToDay(db, row);
  await db
    .insertInto('key_usage_marks')
    .values({ account_id: accountId, through })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ through }))
    .execute();
  return through;
}

async function markOf(db: Database, accountId: number): Promise<number> {
  const mark = await db
    .selectFrom('key_usage_marks')
    .select('through')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return mark?.through ?? NOTHING_CARRIED;
}

async function addToDay(db: Database, row: KeyDay): Promise<void> {
  await db
    .insertInto('key_usage_days')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['api_key_id', 'day']).doUpdateSet({
        usd: sql`key_usage_days.usd + ${row.usd}`,
        diem: sql`key_usage_days.diem + ${row.diem}`,
        last_used_at: row.last_used_at,
      }),
    )
    .execute();
}

async function sumCharges(db: Database, accountId: number, after: number, through: number): Promise<KeyDay[]> {
  const { rows } = await sql<KeyDay>`
    select api_key_id, created_at / ${sql.lit(DAY_MS)} as day,
      cast(sum(case when pot <> 'diem' then -amount else 0 end) as bigint) as usd,
      cast(sum(case when pot = 'diem' then -amount else 0 end) as bigint) as diem,
      max(created_at) as last_used_at
    from ledger
    where account_id = ${accountId} and created_at > ${after} and created_at <= ${through}
      and kind = 'CHARGE' and api_key_id is not null
    group by 1, 2`.execute(db);
  return rows;
}

async function daysOf(db: Database, accountId: number): Promise<KeyDay[]> {
  return db
    .selectFrom('key_usage_days')
    .innerJoin('api_keys', 'api_keys.id', 'key_usage_days.api_key_id')
    .select(['key_usage_days.api_key_id', 'day', 'usd', 'diem', 'last_used_at'])
    .where('api_keys.account_id', '=', accountId)
    .execute();
}

function usageOf(rows: readonly KeyDay[], period: LimitPeriod, now: number): KeyUsage {
  const firstDay = epochAt(periodStart(period, now));
  return {
    currentPeriod: sumOf(rows.filter(({ day }) => day >= firstDay)),
    total: sumOf(rows),
    lastUsedAt: rows.length === 0 ? null : Math.max(...rows.map((row) => row.last_used_at)),
  };
}

function sumOf(rows: readonly Spent[]): Spent {
  return { usd: rows.reduce((sum, { usd }) => sum + usd, 0), diem: rows.reduce((sum, { diem }) => sum + diem, 0) };
}
