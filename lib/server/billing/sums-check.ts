import { type RawBuilder, sql } from 'kysely';
import { type Database, POTS } from '../db/schema';
import { type LedgerScope, WHOLE } from './ledger-scope';
import { epochName } from './rules/epoch';

const FAULTS_MAX = 100;

/**
 * Checks the daily sums of charges against the ledger. Rows with the same request id and time count as one call.
 * @returns a sentence for each violation
 */
export async function sumsFaults(db: Database, { since, rows }: LedgerScope = WHOLE): Promise<string[]> {
  if (!since) return [...(await accountFaults(db, null)), ...(await totalFaults(db, 0))];
  const touched = sql`(select account_id, min(created_at) / 86400000 as day from ${rows} as fresh group by account_id)`;
  const { rows: days } = await sql<{ first: number | null }>`select min(day) as first from ${touched} as t`.execute(db);
  const first = days[0]?.first ?? null;
  return first === null ? [] : [...(await accountFaults(db, touched)), ...(await totalFaults(db, Number(first)))];
}

interface DaySums {
  day: number;
  account_id: number;
  api_key_id: number;
  resource: string;
  kept_calls: number;
  kept: number;
  calls: number;
  amount: number;
}

/** @param touched SQL of a table with the accounts to check and the first day of each; null to check all accounts */
async function accountFaults(db: Database, touched: RawBuilder<unknown> | null): Promise<string[]> {
  const pots = sql.join(
    POTS.map((pot) => sql`sum(case when pot = ${sql.lit(pot)} then -amount else 0 end) as ${sql.ref(pot)}`),
  );
  const differences = sql.join(
    ['calls', 'units', ...POTS].map((name) => sql`sum(sign * ${sql.ref(name)}) <> 0`),
    sql` or `,
  );
  // CROSS JOIN forces SQLite's join order.
  const [charges, sums] = touched
    ? [
        sql`${touched} t cross join ledger l where l.account_id = t.account_id and l.created_at >= t.day * 86400000 and`,
        sql`${touched} t cross join charge_days d where d.account_id = t.account_id and d.day >= t.day`,
      ]
    : [sql`ledger l where`, sql`charge_days d`];
  const amount = sql`(diem + bundled + usd + x402)`;
  const { rows } = await sql<DaySums>`
    with counted as (
      select l.created_at / 86400000 as day, l.account_id, coalesce(l.api_key_id, 0) as api_key_id, resource,
        max(calls) as calls, max(units) as units, ${pots}, l.created_at as last_at
      from ${charges} l.kind = 'CHARGE' group by l.account_id, l.request_id, l.created_at, l.api_key_id, l.resource
    )
    select day, account_id, api_key_id, resource,
      sum(case when sign = 1 then calls else 0 end) as kept_calls, sum(case when sign = 1 then ${amount} else 0 end) as kept,
      sum(case when sign = 1 then 0 else calls end) as calls, sum(case when sign = 1 then 0 else ${amount} end) as amount
    from (
      select 1 as sign, d.day, d.account_id, api_key_id, resource, calls, units, diem, bundled, usd, x402, last_at from ${sums}
      union all
      select -1, day, account_id, api_key_id, resource, calls, units, diem, bundled, usd, x402, last_at from counted
    ) as sums group by day, account_id, api_key_id, resource
    having ${differences} or max(case when sign = 1 then last_at else 0 end) <> max(case when sign = 1 then 0 else last_at end)
    limit ${FAULTS_MAX}`.execute(db);
  return rows.map(
    ({ day, account_id: account, api_key_id: key, resource, ...row }) =>
      `account ${account}, day ${epochName(Number(day))}, key ${key}, ${resource}: the stored sums are ${row.kept_calls} calls over ${row.kept} nano-USD, but the ledger has ${row.calls} over ${row.amount}, or units and times differ`,
  );
}

async function totalFaults(db: Database, first: number): Promise<string[]> {
  const { rows } = await sql<Record<'day' | 'calls' | 'charged' | 'paid_in' | 'withdrawn', number>>`
    select day, sum(calls) as calls, sum(charged) as charged, sum(paid_in) as paid_in, sum(withdrawn) as withdrawn from (
      select day, calls, charged, paid_in, withdrawn from ledger_days where day >= ${first}
      union all
      select day, -calls, -(diem + bundled + usd + x402), 0, 0 from charge_days where day >= ${first}
      union all
      select created_at / 86400000, 0, 0, case when kind = 'TOP_UP' then -amount else 0 end,
        case when kind = 'TOP_UP' then 0 else amount end
      from ledger where kind <> 'CHARGE' and kind in ('TOP_UP', 'WITHDRAWAL', 'REVERSAL') and created_at >= ${sql.lit(first * 86_400_000)}
    ) as sums group by day
    having sum(calls) <> 0 or sum(charged) <> 0 or sum(paid_in) <> 0 or sum(withdrawn) <> 0
    limit ${FAULTS_MAX}`.execute(db);
  return rows.map(
    ({ day, calls, charged, paid_in: paidIn, withdrawn }) =>
      `day ${epochName(Number(day))}: the stored totals differ from the sums by ${calls} calls, ${charged} nano-USD charged, ${paidIn} paid in and ${withdrawn} withdrawn`,
  );
}
