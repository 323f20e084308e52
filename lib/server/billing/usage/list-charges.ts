import { sql } from 'kysely';
import type { Database, Pot } from '../../db/schema';

/** Which charges of an account. Times are Unix milliseconds, the end not included. */
export interface ChargeFilter {
  accountId: number;
  from: number;
  until: number;
  resource?: string | undefined;
  apiKeyId?: number | undefined;
  /** The X-Request-ID of the answer that was paid for. */
  requestId?: string | undefined;
}

/** A paid call, over all the pots that it was charged to. Amounts in nano-USD. */
export interface ChargedCall {
  /** Of its first ledger row. */
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

/** Where a page starts: after the charge whose oldest ledger row this is. */
export interface ChargeCursor {
  at: number;
  id: number;
}

/** The most pots that one call can be charged to, so the most rows of one. */
const ROWS_OF_A_CHARGE = 3;

/**
 * Charges of an account, newest first. The rows of a charge follow one another in the order of time and id, since they
 * are written together under the account's lock: so a page is a range of one index, however many charges there are.
 * @returns up to `limit` after skipping some, and where the next page starts, null at the end.
 */
export async function listCharges(
  db: Database,
  { accountId, from, until, resource, apiKeyId, requestId }: ChargeFilter,
  { limit, skip, after }: { limit: number; skip: number; after: ChargeCursor | null },
): Promise<{ charges: ChargedCall[]; next: ChargeCursor | null }> {
  const wanted = skip + limit + 1;
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
    .limit(wanted * ROWS_OF_A_CHARGE);
  if (resource !== undefined) query = query.where('resource', '=', resource);
  if (apiKeyId !== undefined) query = query.where('api_key_id', '=', apiKeyId);
  if (requestId !== undefined) query = query.where('request_id', '=', requestId);
  if (after) query = query.where(sql<boolean>`(ledger.created_at, ledger.id) < (${after.at}, ${after.id})`);
  const charges: ChargedCall[] = [];
  for (const row of await query.execute()) {
    const last = charges.at(-1);
    if (last?.requestId === row.request_id && last.at === row.created_at) addRow(last, row);
    else if (charges.length === wanted) break;
    else charges.push(chargeOf(row));
  }
  const page = charges.slice(skip, skip + limit);
  const last = page.at(-1);
  return { charges: page, next: last && charges.length > skip + limit ? { at: last.at, id: last.id } : null };
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

/** Units are those of the call: they stand in its first row, or in each. */
function addRow(charge: ChargedCall, row: ChargeRow): void {
  charge.id = row.id;
  charge.units = Math.max(charge.units, row.units);
  charge.amount -= row.amount;
  charge.pots[row.pot] = (charge.pots[row.pot] ?? 0) - row.amount;
}
