import type { Database, LedgerKind, Pot } from './schema';

/** No balance may exceed what a JavaScript integer holds exactly: about 9 million USD. */
export const BALANCE_NANO_USD_MAX = Number.MAX_SAFE_INTEGER;

export class CreditRefused extends Error {
  override readonly name = 'CreditRefused';
}

/** Money that comes into a pot. The daily pot has its own way: `Meter.allocate`. */
export interface Credit {
  accountId: number;
  pot: Exclude<Pot, 'diem'>;
  kind: Extract<LedgerKind, 'GRANT' | 'TOP_UP' | 'REFUND'>;
  amountNanoUsd: number;
  /** Why, for the ledger. */
  detail: string;
  /** The request that brought it, if one did. */
  requestId: string;
}

const RESOURCES: Readonly<Record<Credit['kind'], string>> = { GRANT: 'grant', TOP_UP: 'top-up', REFUND: 'refund' };

/**
 * Puts money into a pot as part of a transaction that runs: the balance, its ledger row, and the tier, which is `paid`
 * from the first top-up or grant of USD on. With the commit of that transaction it is on disk.
 * @returns the balance after it, in nano-USD.
 * @throws CreditRefused for an unknown account, an amount that is not positive, or a balance beyond the maximum; the
 *   transaction has changed nothing by it.
 */
export async function creditWithin(db: Database, credit: Credit, now = Date.now()): Promise<number> {
  const { accountId, pot, kind, amountNanoUsd, detail, requestId } = credit;
  if (!Number.isSafeInteger(amountNanoUsd) || amountNanoUsd <= 0)
    throw new CreditRefused('The amount must be positive.');
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
  if (isMoneyPutIn(credit))
    await db
      .updateTable('accounts')
      .set({ tier: 'paid' })
      .where('id', '=', accountId)
      .where('tier', '=', 'standard')
      .execute();
  return balanceAfter;
}

/** Whoever has ever put in money is no longer a standard caller (wire, "Who is the caller"). */
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
