import type { Selectable } from 'kysely';
import type { Database, Schema } from '../db/schema';

/** A row of the ledger that moved a wallet's prepaid balance; of a top-up, where its payment is on chain. */
export type Movement = Pick<
  Selectable<Schema['ledger']>,
  'id' | 'kind' | 'amount' | 'balance_after' | 'created_at' | 'request_id' | 'resource'
> & { payment: PaymentPlace | null };

type PaymentPlace = Pick<Selectable<Schema['payments']>, 'id' | 'network' | 'transaction_id'>;

/** A page of movements; an offset beyond the end is an empty one. */
export interface MovementPage {
  limit: number;
  offset: number;
}

/**
 * What moved the prepaid balance of an account, newest first. Costs what the account has in the ledger, the same for the
 * first page and the last: its rows are found by an index, and ordered to the end.
 */
export async function listMovements(db: Database, accountId: number, page: MovementPage): Promise<Movement[]> {
  const rows = await movementRows(db, accountId, page).execute();
  const places = await placesOf(
    db,
    rows.flatMap(({ kind, request_id }) => (kind === 'TOP_UP' ? [request_id] : [])),
  );
  return rows.map((row) => ({ ...row, payment: places.find(({ id }) => id === row.request_id) ?? null }));
}

/** The one question to the ledger that a page is. */
export function movementRows(db: Database, accountId: number, { limit, offset }: MovementPage) {
  return db
    .selectFrom('ledger')
    .select(['id', 'kind', 'amount', 'balance_after', 'created_at', 'request_id', 'resource'])
    .where('account_id', '=', accountId)
    .where('pot', '=', 'x402')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
}

async function placesOf(db: Database, ids: readonly string[]): Promise<PaymentPlace[]> {
  return ids.length === 0
    ? []
    : db.selectFrom('payments').select(['id', 'network', 'transaction_id']).where('id', 'in', ids).execute();
}
