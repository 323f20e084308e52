import type { Selectable } from 'kysely';
import type { Database, Schema } from '../db/schema';

/** A row of the ledger that moved a wallet's prepaid balance. */
export type Movement = Pick<Selectable<Schema['ledger']>, 'id' | 'kind' | 'amount' | 'balance_after' | 'created_at' | 'request_id' | 'resource'>;

/** What moved the prepaid balance of an account, newest first. */
export function listMovements(db: Database, accountId: number, { limit, offset }: { limit: number; offset: number }): Promise<Movement[]> {
  return db
    .selectFrom('ledger')
    .select(['id', 'kind', 'amount', 'balance_after', 'created_at', 'request_id', 'resource'])
    .where('account_id', '=', accountId)
    .where('pot', '=', 'x402')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}
