import { sql } from 'kysely';
import type { Sold } from '@/lib/protocol/api-keys/key-scope';
import { type Database, type Pot, POTS } from '../../db/schema';
import { slicesOf } from './period-slices';

/** Filter for an account's charges. Times are Unix milliseconds, and `until` is exclusive. */
export interface ChargeFilter {
  accountId: number;
  from: number;
  until: number;
  /** Product of the resource, such as rpc. */
  product?: Sold | undefined;
  resource?: string | undefined;
  apiKeyId?: number | undefined;
  /** X-Request-ID of the paid answer. */
  requestId?: string | undefined;
}

/** Paid call with all balances that paid for it. Amounts are in nano-USD. */
export interface ChargedCall {
  /** Id of the charge's oldest ledger row. */
  id: number;
  at: number;
  resource: string;
  detail: string;
  units: number;
  amount: number;
  pots: Partial<Record<Pot, number>>;
  apiKey: { id: number; last6: string; description: string } | null;
  requestId: string;
}

/** Start of a page: the oldest ledger row of the last charge on the previous page. */
interface ChargeCursor {
  at: number;
  id: number;
}

/** A charge has at most one row per balance. */
const ROWS_OF_A_CHARGE = POTS.length;

/**
 * Lists an account's charges, newest first. A charge's rows are adjacent in time and id, so a page is a range of one
 * index. Filters have no index, because every charge would have to update it. A filtered page is therefore read slice
 * by slice.
 * @returns up to `limit` charges, and the start of the next page (null after the last page)
 */
export async function listCharges(
  db: Database,
  filter: ChargeFilter,
  { limit, skip, after }: { limit: number; skip: number; after: ChargeCursor | null },
): Promise<{ charges: ChargedCall[]; next: ChargeCursor | null }> {
  const wanted = skip + limit + 1;
  const { product, resource, apiKeyId, requestId } = filter;
  const isFiltered =
    product !== undefined || resource !== undefined || apiKeyId !== undefined || requestId !== undefined;
  const period = after ? { ...filter, until: Math.min(filter.until, after.at + 1) } : filter;
  const charges: ChargedCall[] = [];
  for await (const slice of isFiltered ? slicesOf(db, period) : [period]) {
    for (const row of await chargeRows(db, slice, after, wanted * ROWS_OF_A_CHARGE)) {
      const last = charges.at(-1);
      if (last?.requestId === row.request_id && last.at === row.created_at) addRow(last, row);
      else if (charges.length === wanted) break;
      else charges.push(chargeOf(row));
    }
    if (charges.length === wanted) break;
  }
  const page = charges.slice(skip, skip + limit);
  const last = page.at(-1);
  return { charges: page, next: last && charges.length > skip + limit ? { at: last.at, id: last.id } : null };
}

function chargeRows(
  db: Database,
  { accountId, from, until, product, resource, apiKeyId, requestId }: ChargeFilter,
  after: ChargeCursor | null,
  limit: number,
): Promise<ChargeRow[]> {
  let query = db
    .selectFrom('ledger')
    .leftJoin('api_keys', 'api_keys.id', 'ledger.api_key_id')
    .select([
      'ledger.id',
      'ledger.created_at',
      'resource',
      'detail',
      'units',
      'amount',
      'pot',
      'api_key_id',
      'request_id',
      'last6',
      'description',
    ])
    .where('ledger.account_id', '=', accountId)
    .where('ledger.created_at', '>=', from)
    .where('ledger.created_at', '<', until)
    .where('kind', '=', 'CHARGE')
    .orderBy('ledger.created_at', 'desc')
    .orderBy('ledger.id', 'desc')
    .limit(limit);
  if (product !== undefined) query = query.where('resource', 'like', `${product}/%`);
  if (resource !== undefined) query = query.where('resource', '=', resource);
  if (apiKeyId !== undefined) query = query.where('api_key_id', '=', apiKeyId);
  if (requestId !== undefined) query = query.where('request_id', '=', requestId);
  if (after) query = query.where(sql<boolean>`(ledger.created_at, ledger.id) < (${after.at}, ${after.id})`);
  return query.execute();
}

interface ChargeRow {
  id: number;
  created_at: number;
  resource: string;
  detail: string;
  units: number;
  amount: number;
  pot: Pot;
  api_key_id: number | null;
  request_id: string;
  last6: string | null;
  description: string | null;
}

function chargeOf(row: ChargeRow): ChargedCall {
  const { id, created_at: at, resource, detail, units, request_id: requestId } = row;
  const apiKey =
    row.api_key_id === null ? null : { id: row.api_key_id, last6: row.last6 ?? '', description: row.description ?? '' };
  return { id, at, resource, detail, units, amount: -row.amount, pots: { [row.pot]: -row.amount }, apiKey, requestId };
}

/** Does not add up the units, because on Postgres each row of a charge has the units of the whole charge. */
function addRow(charge: ChargedCall, row: ChargeRow): void {
  charge.id = row.id;
  charge.units = Math.max(charge.units, row.units);
  charge.amount -= row.amount;
  charge.pots[row.pot] = (charge.pots[row.pot] ?? 0) - row.amount;
}
