import type { Database, Pot } from './schema';

/** No balance may exceed what a JavaScript integer holds exactly: about 9 million USD. */
export const BALANCE_NANO_USD_MAX = Number.MAX_SAFE_INTEGER;

export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}

/** Money put into a pot by hand. */
export interface Grant {
  accountId: number;
  pot: Exclude<Pot, 'diem'>;
  amountNanoUsd: number;
  /** Why, for the ledger. */
  detail: string;
}

/**
 * Puts money into a pot: the ledger row and the balance in one transaction, on disk when it returns.
 * @returns the balance after it, in nano-USD.
 * @throws GrantRefused for an unknown account, an amount that is not positive, or a balance beyond the maximum.
 */
export function grant(db: Database, grant: Grant, now = Date.now()): Promise<number> {
  return db.transaction().execute((transaction) => grantWithin(transaction, grant, now));
}

/** The same as part of a transaction that runs. */
export async function grantWithin(db: Database, { accountId, pot, amountNanoUsd, detail }: Grant, now = Date.now()): Promise<number> {
  if (!Number.isSafeInteger(amountNanoUsd) || amountNanoUsd <= 0) throw new GrantRefused('The amount must be positive.');
  // One statement that adds: what others add at the same time is not lost, and the row is ours until the commit.
  const meter = await db
    .updateTable('meters')
    .set((row) => ({ [pot]: row(pot, '+', amountNanoUsd) }))
    .where('account_id', '=', accountId)
    .where(pot, '<=', BALANCE_NANO_USD_MAX - amountNanoUsd)
    .returning(pot)
    .executeTakeFirst();
  if (!meter) throw await refusalOf(db, accountId);
  const balanceAfter = Number(meter[pot]);
  await db
    .insertInto('ledger')
    .values({
      account_id: accountId,
      pot,
      kind: 'GRANT',
      amount: amountNanoUsd,
      balance_after: balanceAfter,
      api_key_id: null,
      resource: 'grant',
      detail,
      units: 0,
      request_id: '',
      created_at: now,
    })
    .execute();
  return balanceAfter;
}

async function refusalOf(db: Database, accountId: number): Promise<GrantRefused> {
  const known = await db.selectFrom('meters').select('account_id').where('account_id', '=', accountId).executeTakeFirst();
  if (!known) return new GrantRefused(`There is no account ${accountId}.`);
  return new GrantRefused('The balance would exceed 9,007,199 USD, the most an account can hold.');
}
