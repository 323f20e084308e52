import { type Credit, creditWithin } from './credits';
import type { Database } from './schema';

/** Money put into a pot by hand. */
export type Grant = Pick<Credit, 'accountId' | 'pot' | 'amountNanoUsd' | 'detail'>;

/**
 * Puts money into a pot: the ledger row and the balance in one transaction, on disk when it returns.
 * @returns the balance after it, in nano-USD.
 * @throws CreditRefused for an unknown account, an amount that is not positive, or a balance beyond the maximum.
 */
export function grant(db: Database, grant: Grant, now = Date.now()): Promise<number> {
  return db.transaction().execute((transaction) => grantWithin(transaction, grant, now));
}

/** The same as part of a transaction that runs. */
export function grantWithin(db: Database, grant: Grant, now = Date.now()): Promise<number> {
  return creditWithin(db, { ...grant, kind: 'GRANT', requestId: '' }, now);
}
