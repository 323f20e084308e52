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
  const meter = await db.selectFrom('meters').select(pot).where('account_id', '=', accountId).executeTakeFirst();
  if (!meter) throw new GrantRefused(`There is no account ${accountId}.`);
  const balanceAfter = Number(meter[pot]) + amountNanoUsd;
  if (balanceAfter > BALANCE_NANO_USD_MAX) throw new GrantRefused('The balance would exceed 9,007,199 USD, the most an account can hold.');
  await db.updateTable('meters').set({ [pot]: balanceAfter }).where('account_id', '=', accountId).execute();
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
