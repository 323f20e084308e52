import { type Credit, creditWithin } from './credits';
import type { Database } from './schema';

export type Grant = Pick<Credit, 'accountId' | 'pot' | 'amountNanoUsd' | 'detail'>;

/**
 * Grants money. Writes ledger row and balance in one transaction, durable on return.
 *
 * @returns the new balance, in nano-USD
 * @throws CreditRefused for an unknown account, an amount that is not positive, or a balance above the maximum
 */
export function grant(db: Database, grant: Grant, now = Date.now()): Promise<number> {
  return db.transaction().execute((transaction) => grantWithin(transaction, grant, now));
}

export function grantWithin(db: Database, grant: Grant, now = Date.now()): Promise<number> {
  return creditWithin(db, { ...grant, kind: 'GRANT', requestId: '' }, now);
}
