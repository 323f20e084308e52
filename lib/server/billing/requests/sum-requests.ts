import { setImmediate as turn } from 'node:timers/promises';
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
  /** Start of the hour or day (UTC) in Unix milliseconds. */
  at: number;
  /** Product of the requests; null if the sums are not split. */
  product: Sold | null;
  /**
   * Value by which the requests are split: a product, network, model, key id or status. Null if the sums are not split,
   * or the requests have no such value.
   */
  split: string | null;
  requests: number;
  failed: number;
  averageUs: number;
  p50Us: number;
  /** 95th percentile of the durations. */
  p95Us: number;
  units: number;
  cost: number;
}

/**
 * Sums an account's requests by hour or day, oldest first. Leaves out hours and days without requests. Pauses between
 * pages of rows, because a statement on SQLite blocks this process.
 * @param rowsMax maximum rows that one statement reads
 */
export async function sumRequests(
  db: Database,
  filter: RequestFilter,
  period: RequestPeriod,
  splitBy: RequestSplit | null = null,
  rowsMax = ROWS_MAX,
): Promise<RequestSum[]> {
  const groups = new Map<string, Group>();
  for (let after: Place | null = null; ; await turn()) {
    const rows = await readRows(db, filter, splitBy, after, rowsMax);
    for (const row of rows) {
      const at = Math.floor(row.at / PERIOD_MS[period]) * PERIOD_MS[period];
      const product = splitBy === null ? null : row.product;
      const name = JSON.stringify([at, product, row.split]);
      const group = groups.get(name) ?? { at, product, split: row.split, failed: 0, units: 0, cost: 0, durations: [] };
      groups.set(name, group);
      group.failed += row.failed;
      group.units += row.units;
      group.cost += row.cost;
      group.durations.push(row.duration_us);
    }
    after = rows.at(-1) ?? null;
    if (rows.length < rowsMax) break;
  }
  return [...groups.values()].toSorted(inOrder).map(sumOf);
}

/** Rows per statement. Such a statement takes a few milliseconds. */
const ROWS_MAX = 2_000;

interface Place {
  at: number;
  id: number;
}

interface Group extends Pick<RequestSum, 'at' | 'product' | 'split' | 'failed' | 'units' | 'cost'> {
  /** Microseconds. */
  durations: number[];
}

function readRows(
  db: Database,
  filter: RequestFilter,
  splitBy: RequestSplit | null,
  after: Place | null,
  rowsMax: number,
) {
  const rest = after === null ? filter : { ...filter, from: Math.max(filter.from, after.at) };
  const query = requestsOf(db, rest)
    .select([
      'at',
      'requests.id',
      'product',
      'failed',
      'duration_us',
      'units',
      'cost',
      splitColumn(splitBy).as('split'),
    ])
    .orderBy('at')
    .orderBy('requests.id')
    .limit(rowsMax);
  return (after ? query.where(sql<boolean>`(at, requests.id) > (${after.at}, ${after.id})`) : query).execute();
}

function inOrder(one: Group, other: Group): number {
  return (
    one.at - other.at ||
    compared(one.product ?? '', other.product ?? '') ||
    compared(one.split ?? '', other.split ?? '')
  );
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function sumOf({ durations, ...sums }: Group): RequestSum {
  const sorted = durations.toSorted((one, other) => one - other);
  const requests = sorted.length;
  return {
    ...sums,
    requests,
    averageUs: sorted.reduce((sum, each) => sum + each, 0) / requests,
    p50Us: sorted[Math.ceil(requests / 2) - 1] ?? 0,
    p95Us: sorted[Math.ceil((requests * 95) / 100) - 1] ?? 0,
  };
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
