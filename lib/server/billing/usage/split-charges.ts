import { sql } from 'kysely';
import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import type { Database } from '../../db/schema';
import type { ChargeFilter } from './list-charges';
import { slicesOf } from './period-slices';

export const CHARGE_SPLITS = ['resource', 'key'] as const;
export type ChargeSplit = (typeof CHARGE_SPLITS)[number];

const PERIOD_MS = { hour: 3_600_000, day: DAY_MS } as const;

/** Charges of one hour or day for one resource or key. The amount is in nano-USD. */
export interface SplitSum {
  /** Start of the hour or day (UTC) in Unix milliseconds. */
  at: number;
  /** Resource or key id. The key id is empty for charges by wallet sign-in. */
  split: string;
  charges: number;
  units: number;
  amount: number;
}

/** Sums an account's charges by hour or day and by resource or key, oldest first. */
export async function splitCharges(
  db: Database,
  filter: ChargeFilter,
  period: keyof typeof PERIOD_MS,
  splitBy: ChargeSplit,
): Promise<SplitSum[]> {
  const sums = new Map<string, SplitSum>();
  for await (const slice of slicesOf(db, filter)) {
    for (const row of await splitSlice(db, slice, PERIOD_MS[period], splitBy)) {
      const at = Number(row.period) * PERIOD_MS[period];
      const split = String(row.split ?? '');
      const id = `${at} ${split}`;
      const sum = sums.get(id) ?? { at, split, charges: 0, units: 0, amount: 0 };
      sum.charges += Number(row.charges);
      sum.units += Number(row.units);
      sum.amount += Number(row.amount);
      sums.set(id, sum);
    }
  }
  return [...sums.values()].toSorted((one, other) => one.at - other.at || (one.split < other.split ? -1 : 1));
}

interface SplitRow {
  period: number;
  split: string | number | null;
  charges: number;
  units: number;
  amount: number;
}

async function splitSlice(
  db: Database,
  { accountId, from, until, product, resource, apiKeyId }: ChargeFilter,
  periodMs: number,
  splitBy: ChargeSplit,
): Promise<SplitRow[]> {
  const column = splitBy === 'key' ? sql`api_key_id` : sql`resource`;
  const onlyProduct = product === undefined ? sql`` : sql`and resource like ${`${product}/%`}`;
  const onlyResource = resource === undefined ? sql`` : sql`and resource = ${resource}`;
  const onlyKey = apiKeyId === undefined ? sql`` : sql`and api_key_id = ${apiKeyId}`;
  const { rows } = await sql<SplitRow>`
    select period, split, cast(sum(calls) as bigint) as charges, cast(sum(units) as bigint) as units, cast(sum(amount) as bigint) as amount from (
      select created_at / ${sql.lit(periodMs)} as period, ${column} as split, max(calls) as calls, max(units) as units, sum(-amount) as amount from ledger
       where account_id = ${accountId} and created_at >= ${from} and created_at < ${until} and kind = 'CHARGE' ${onlyProduct} ${onlyResource} ${onlyKey}
       group by 1, 2, request_id, created_at
    ) as calls group by 1, 2`.execute(db);
  return rows;
}
