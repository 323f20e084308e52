import type { Selectable } from 'kysely';
import type { Pot, Schema } from '../../db/schema';
import { epochAt } from '../rules/epoch';

export type LedgerRow = Omit<Selectable<Schema['ledger']>, 'calls' | 'archive_id'>;

/** Ledger row that replaces the charges of one day. Amounts are negative nano-USD, as in charges. */
export interface DailyRow {
  /** Id of the last row that this row replaces, so that the ledger keeps its order. */
  id: number;
  accountId: number;
  pot: Pot;
  resource: string;
  apiKeyId: number | null;
  amount: number;
  balanceAfter: number;
  units: number;
  /** A call that was charged to several balances counts only in its first row. */
  calls: number;
  createdAt: number;
  rows: LedgerRow[];
}

/** Thrown if a row's balance does not follow from the row before it. */
export class BalanceGap extends Error {
  override readonly name = 'BalanceGap';
}

/**
 * Sums an account's charges by day, balance, resource and key. A row that `isKept` selects stays: it ends the sums of
 * its balance, and later rows start new sums.
 * @param rows all rows of the account between two ids, in order
 * @throws BalanceGap if running balances are inconsistent, or rows are missing
 */
export function dailyRowsOf(rows: readonly LedgerRow[], isKept: (row: LedgerRow) => boolean): DailyRow[] {
  const daily: DailyRow[] = [];
  const open = new Map<Pot, Stretch>();
  const seenCalls = new Map<string, { row: DailyRow; units: number }>();
  const end = (pot: Pot): void => {
    const stretch = open.get(pot);
    if (stretch) daily.push(...stretch.end());
    open.delete(pot);
  };
  for (const row of rows) {
    if (isKept(row)) {
      end(row.pot);
      continue;
    }
    let stretch = open.get(row.pot);
    if (!stretch) open.set(row.pot, (stretch = new Stretch(row.balance_after - row.amount)));
    countCall(seenCalls, row, stretch.add(row));
  }
  for (const pot of [...open.keys()]) end(pot);
  return daily.sort((left, right) => left.id - right.id);
}

/** Counts a call and its units once, although on Postgres each row of a call has the units. */
function countCall(
  seen: Map<string, { row: DailyRow; units: number }>,
  { request_id: requestId, created_at: createdAt, units }: LedgerRow,
  row: DailyRow,
): void {
  const key = `${createdAt} ${requestId}`;
  const known = seen.get(key);
  if (!known) {
    seen.set(key, { row, units });
    row.calls += 1;
    row.units += units;
  } else if (units > known.units) {
    known.row.units += units - known.units;
    known.units = units;
  }
}

class Stretch {
  readonly #groups = new Map<string, DailyRow>();
  #balance: number;

  constructor(private readonly opening: number) {
    this.#balance = opening;
  }

  add(row: LedgerRow): DailyRow {
    this.#balance += row.amount;
    if (this.#balance !== row.balance_after)
      throw new BalanceGap(
        `Ledger row ${row.id} of account ${row.account_id} does not follow from the one before it: run ledger check.`,
      );
    const key = JSON.stringify([epochAt(row.created_at), row.resource, row.api_key_id]);
    let group = this.#groups.get(key);
    if (!group) {
      group = {
        id: row.id,
        accountId: row.account_id,
        pot: row.pot,
        resource: row.resource,
        apiKeyId: row.api_key_id,
        amount: 0,
        balanceAfter: 0,
        units: 0,
        calls: 0,
        createdAt: 0,
        rows: [],
      };
      this.#groups.set(key, group);
    }
    group.id = row.id;
    group.amount += row.amount;
    group.createdAt = Math.max(group.createdAt, row.created_at);
    group.rows.push(row);
    return group;
  }

  end(): DailyRow[] {
    let balance = this.opening;
    return [...this.#groups.values()]
      .sort((left, right) => left.id - right.id)
      .map((group) => ({ ...group, balanceAfter: (balance += group.amount) }));
  }
}
