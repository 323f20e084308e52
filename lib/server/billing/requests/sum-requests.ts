import { sql } from 'kysely';
import type { Sold } from '@/lib/protocol/api-keys/key-scope';
import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import type { Database } from '../../db/schema';
import { type RequestFilter, requestsOf } from './list-requests';

export const REQUEST_PERIODS = ['hour', 'day'] as const;
export type RequestPeriod = (typeof REQUEST_PERIODS)[number];

export const REQUEST_SPLITS = ['product', 'network', 'model', 'key', 'status'] as const;
export type RequestSplit = (typeof REQUEST_SPLITS)[number];

/** Status of a streamed answer that ended early. */
export const INTERRUPTED = 'interrupted';

const PERIOD_MS: Readonly<Record<RequestPeriod, number>> = { hour: 3_600_000, day: DAY_MS };

/** Requests of one hour or day. The cost is in nano-USD. */
export interface RequestSum {
  /** First moment of the hour or day (UTC), Unix milliseconds. */
  at: number;
  /** Null if the requests are not split. */
  product: Sold | null;
  /** Product, network, model, key id or status; null if the requests are not split, or have no such value. */
  split: string | null;
  requests: number;
  failed: number;
  averageUs: number;
  /** Duration that half of the requests do not exceed. */
  p50Us: number;
  /** Duration that 95 of 100 requests do not exceed. */
  p95Us: number;
  units: number;
  cost: number;
}

/** Sums an account's requests by hour or day, oldest first. Hours and days without requests are absent. */
export async function sumRequests(
  db: Database,
  filter: RequestFilter,
  period: RequestPeriod,
  splitBy: RequestSplit | null = null,
): Promise<RequestSum[]> {
  const size = PERIOD_MS[period];
  const group = splitBy === null ? sql`period` : sql`period, product, split`;
  const placed = requestsOf(db, filter)
    .select(['failed', 'duration_us', 'units', 'cost'])
    .select([
      sql<number>`at / ${sql.lit(size)}`.as('period'),
      sql<Sold | null>`${splitBy === null ? sql`null` : sql`product`}`.as('product'),
      splitColumn(splitBy).as('split'),
    ]);
  const { rows } = await sql<SumRow>`
    select ${group}, count(*) as requests, sum(failed) as failed, sum(duration_us) as duration_us, sum(units) as units,
           sum(cost) as cost, min(case when place >= 0.5 then duration_us end) as p50_us,
           min(case when place >= 0.95 then duration_us end) as p95_us
      from (select *, cume_dist() over (partition by ${group} order by duration_us) as place from (${placed}) as chosen) as placed
     group by ${group} order by ${group}`.execute(db);
  // Postgres returns some sums as strings.
  return rows.map((row) => ({
    at: Number(row.period) * size,
    product: row.product ?? null,
    split: row.split ?? null,
    requests: Number(row.requests),
    failed: Number(row.failed),
    averageUs: Number(row.duration_us) / Number(row.requests),
    p50Us: Number(row.p50_us),
    p95Us: Number(row.p95_us),
    units: Number(row.units),
    cost: Number(row.cost),
  }));
}

interface SumRow extends Record<
  'period' | 'requests' | 'failed' | 'duration_us' | 'units' | 'cost' | 'p50_us' | 'p95_us',
  number | string
> {
  product?: Sold;
  split?: string | null;
}

function splitColumn(splitBy: RequestSplit | null) {
  switch (splitBy) {
    case null:
      return sql<string | null>`null`;
    case 'key':
      return sql<string | null>`cast(requests.api_key_id as text)`;
    case 'status':
      return sql<
        string | null
      >`case when failed = 1 and status < 400 then ${sql.lit(INTERRUPTED)} else cast(status as text) end`;
    default:
      return sql<string | null>`${sql.ref(splitBy)}`;
  }
}
