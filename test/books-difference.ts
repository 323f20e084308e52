import { isDeepStrictEqual } from 'node:util';
import type { KeySpend } from '@/lib/server/billing/rules/key-limit';
import type { History } from './books-history';
import type { BooksModel, ModelRow } from './books-model';
import type { MeteredStore } from './metered-store';

/** Difference between a store and the model. */
export class Difference extends Error {
  override readonly name = 'Difference';
  /** Played history, in which each step names the call that it used. */
  history: History | null = null;
}

/**
 * Compares the ledger state of these accounts with the model: balances, rows, allocations, key spending and stored
 * answers.
 *
 * @throws Difference
 */
export async function compareBooks(books: MeteredStore, accounts: readonly number[], model: BooksModel): Promise<void> {
  const { db } = books.store;
  for (const [place, id] of accounts.entries()) {
    const account = model.accounts.get(id);
    if (!account) throw new Error(`The model has no account ${id}.`);
    const same = (what: string, actual: readonly unknown[], expected: readonly unknown[]): void =>
      differ(`${what} of account ${place}`, actual, expected);
    const { diem, bundled, usd, x402 } = await books.balances(id);
    same('balances', [diem, bundled, usd, x402], account.pots.balances);
    const ledger = await db.selectFrom('ledger').selectAll().where('account_id', '=', id).execute();
    same(
      'ledger',
      ledger
        .map((row) =>
          rowText({ ...row, apiKeyId: row.api_key_id, requestId: row.request_id, createdAt: row.created_at }),
        )
        .sort(),
      account.rows.map(rowText).sort(),
    );
    const allocations = await db
      .selectFrom('allocations')
      .select(['epoch', 'amount'])
      .where('account_id', '=', id)
      .execute();
    same(
      'allocations',
      allocations.map(({ epoch, amount }) => `${epoch} ${amount}`).sort(),
      [...account.allocations].map(([epoch, amount]) => `${epoch} ${amount}`).sort(),
    );
    const spend = await db
      .selectFrom('key_spend')
      .innerJoin('api_keys', 'api_keys.id', 'api_key_id')
      .select(['api_key_id', 'period', 'usd', 'diem', 'prepaid'])
      .where('account_id', '=', id)
      .execute();
    same(
      'spending of keys',
      spend.map((row) => `${row.api_key_id} ${row.period} ${spendText(row)}`).sort(),
      [...account.keySpend].map(([name, spent]) => `${name} ${spendText(spent)}`).sort(),
    );
    const kept = await db.selectFrom('idempotency_records').selectAll().where('account_id', '=', id).execute();
    same(
      'answers',
      kept.map((row) => answerText(row.key, { ...row, isKept: row.is_kept, createdAt: row.created_at })).sort(),
      [...account.kept].map(([key, answer]) => answerText(key, answer)).sort(),
    );
  }
  const ids = new Set(accounts);
  // Ignores faults of other accounts in the same database.
  const faults = (await books.faults()).filter((fault) => ids.has(Number(/account (\d+)/.exec(fault)?.[1])));
  differ('what the check of the ledger finds', faults, []);
}

/** @throws Difference unless both values are deeply equal */
export function differ(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  if (!Array.isArray(actual) || !Array.isArray(expected) || actual.length + expected.length < 20)
    throw new Difference(`${what}: ${JSON.stringify(actual)} by the store, ${JSON.stringify(expected)} by the model`);
  throw new Difference(
    `${what}: only the store has ${JSON.stringify(actual.filter((each) => !expected.includes(each)))}, only the model ${JSON.stringify(expected.filter((each) => !actual.includes(each)))}`,
  );
}

/** Amounts that are counted for each key. */
const SPENT: Readonly<Record<keyof KeySpend, true>> = { usd: true, diem: true, prepaid: true };

function spendText(spent: KeySpend): string {
  return (Object.keys(SPENT) as (keyof KeySpend)[]).map((each) => spent[each]).join(' ');
}

function rowText(
  row: Pick<ModelRow, 'kind' | 'amount' | 'apiKeyId' | 'resource' | 'detail' | 'units' | 'requestId' | 'createdAt'> & {
    pot: string;
  },
): string {
  return [
    row.createdAt,
    row.requestId,
    row.kind,
    row.pot,
    row.amount,
    row.apiKeyId,
    row.resource,
    row.detail,
    row.units,
  ].join(' ');
}

function answerText(
  key: string,
  {
    fingerprint,
    body,
    isKept,
    createdAt,
  }: { fingerprint: string; body: Uint8Array; isKept: number; createdAt: number },
): string {
  return [key, fingerprint, Buffer.from(body).toString(), isKept, createdAt].join(' ');
}
