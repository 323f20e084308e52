import { type Selectable, sql } from 'kysely';
import type { Database, LedgerKind, Schema } from '../db/schema';

/** Ledger row of a wallet's prepaid balance, with the payment or withdrawal that caused it, if any. */
export type Movement = Pick<
  Selectable<Schema['ledger']>,
  'id' | 'kind' | 'amount' | 'balance_after' | 'created_at' | 'request_id' | 'resource'
> & { payment: PaymentPlace | null };

type PaymentPlace = Pick<Selectable<Schema['payments']>, 'id' | 'network' | 'transaction_id'>;

interface MovementPage {
  limit: number;
  offset: number;
}

/** Lists changes of an account's prepaid balance, newest first. Each page reads only one range of an index. */
export async function listMovements(db: Database, accountId: number, page: MovementPage): Promise<Movement[]> {
  const rows = await movementRows(db, accountId, page).execute();
  const idsOf = (...wanted: LedgerKind[]): string[] =>
    rows.flatMap(({ kind, request_id }) => (wanted.includes(kind) ? [request_id] : []));
  const places = [
    ...(await placesOf(db, 'payments', idsOf('TOP_UP'))),
    ...(await placesOf(db, 'withdrawals', idsOf('WITHDRAWAL', 'REVERSAL'))),
  ];
  return rows.map((row) => ({ ...row, payment: places.find(({ id }) => id === row.request_id) ?? null }));
}

export function movementRows(db: Database, accountId: number, { limit, offset }: MovementPage) {
  return (
    db
      .selectFrom('ledger')
      .select(['id', 'kind', 'amount', 'balance_after', 'created_at', 'request_id', 'resource'])
      .where('account_id', '=', accountId)
      // The value is a literal, because SQLite uses a partial index only if the condition is known during planning.
      .where('pot', '=', sql.lit('x402'))
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
  );
}

async function placesOf(
  db: Database,
  table: 'payments' | 'withdrawals',
  ids: readonly string[],
): Promise<PaymentPlace[]> {
  return ids.length === 0
    ? []
    : db.selectFrom(table).select(['id', 'network', 'transaction_id']).where('id', 'in', ids).execute();
}
