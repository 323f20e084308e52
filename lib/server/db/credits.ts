import { addToDayTotals } from './ledger-days';
import type { Database, LedgerKind, Pot } from './schema';

/** Maximum balance, about 9 million USD. JavaScript numbers cannot hold larger integers exactly. */
export const BALANCE_NANO_USD_MAX = Number.MAX_SAFE_INTEGER;

export class CreditRefused extends Error {
  override readonly name = 'CreditRefused';
}

/** Money to credit to a balance. `Meter.allocate` and video refunds credit the daily balance. */
export interface Credit {
  accountId: number;
  pot: Exclude<Pot, 'diem'>;
  kind: Extract<LedgerKind, 'GRANT' | 'TOP_UP' | 'REFUND' | 'REVERSAL'>;
  amountNanoUsd: number;
  detail: string;
  /** Id of the request that caused the credit, or empty. */
  requestId: string;
}

const RESOURCES: Readonly<Record<Credit['kind'], string>> = {
  GRANT: 'grant',
  TOP_UP: 'top-up',
  REFUND: 'refund',
  REVERSAL: 'withdrawal',
};

/**
 * Credits a balance and writes a ledger row, within the caller's transaction. The first top-up or USD grant also
 * changes the tier to `paid`.
 * @returns new balance, in nano-USD
 * @throws CreditRefused for an unknown account, an amount that is not positive, or a balance above the maximum; nothing
 * is changed
 */
export async function creditWithin(db: Database, credit: Credit, now = Date.now()): Promise<number> {
  const { accountId, pot, kind, amountNanoUsd, detail, requestId } = credit;
  if (!Number.isSafeInteger(amountNanoUsd) || amountNanoUsd <= 0)
    throw new CreditRefused('The amount must be positive.');
  // A single statement locks the row until the commit, so that no concurrent credit is lost.
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
      kind,
      amount: amountNanoUsd,
      balance_after: balanceAfter,
      api_key_id: null,
      resource: RESOURCES[kind],
      detail,
      units: 0,
      request_id: requestId,
      created_at: now,
    })
    .execute();
  await addToDayTotals(db, { kind, amount: amountNanoUsd, at: now });
  if (isMoneyPutIn(credit))
    await db
      .updateTable('accounts')
      .set({ tier: 'paid' })
      .where('id', '=', accountId)
      .where('tier', '=', 'standard')
      .execute();
  return balanceAfter;
}

/** Returns whether a credit moves its account to the paid tier permanently. */
export function isMoneyPutIn({ kind, pot }: Pick<Credit, 'kind' | 'pot'>): boolean {
  return kind === 'TOP_UP' || (kind === 'GRANT' && pot === 'usd');
}

async function refusalOf(db: Database, accountId: number): Promise<CreditRefused> {
  const known = await db
    .selectFrom('meters')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!known) return new CreditRefused(`There is no account ${accountId}.`);
  return new CreditRefused('The balance would exceed 9,007,199 USD, the most an account can hold.');
}

export type Grant = Pick<Credit, 'accountId' | 'pot' | 'amountNanoUsd' | 'detail'>;

/**
 * Grants money: writes a ledger row and the balance in one transaction. The grant is durable when this resolves.
 * @returns new balance, in nano-USD
 * @throws CreditRefused (see `creditWithin`)
 */
export function grant(db: Database, grant: Grant, now = Date.now()): Promise<number> {
  return db.transaction().execute((transaction) => grantWithin(transaction, grant, now));
}

export function grantWithin(db: Database, grant: Grant, now = Date.now()): Promise<number> {
  return creditWithin(db, { ...grant, kind: 'GRANT', requestId: '' }, now);
}
