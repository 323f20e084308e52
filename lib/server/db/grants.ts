import { type Credit, creditWithin } from './credits';
import type { Database } from './schema';

export type Grant = Pick<Credit, 'accountId' | 'pot' | 'amountNanoUsd' | 'detail'>;

/**
 * Grants money: writes a ledger row and the balance in one transaction. Durable on resolve.
 *
 * @returns the new balance, in nano-USD
 * @throws CreditRefused (see `creditWithin`)
 */
export function grant(db: Database, grant: Grant, now = Date.now()): Promise<number> {
  return db.transaction().execute((transaction) => grantWithin(transaction, grant, now));
}

export function grantWithin(db: Database, grant: Grant, now = Date.now()): Promise<number> {
  return creditWithin(db, { ...grant, kind: 'GRANT', requestId: '' }, now);
}
