import type { Selectable } from 'kysely';
import type { Pot, Schema } from '../../db/schema';
import { epochAt } from '../rules/epoch';

export type LedgerRow = Omit<Selectable<Schema['ledger']>, 'calls' | 'archive_id'>;

/** What charges of one day become in the ledger. Amounts are nano-USD and negative, as theirs are. */
export interface DailyRow {
  /** Of the last row that it takes the place of, so that it stands where that stood. */
  id: number;
  accountId: number;
  pot: Pot;
  resource: string;
  apiKeyId: number | null;
  amount: number;
  balanceAfter: number;
  units: number;
  /** A call that was charged to several pots counts in the first of them. */
  calls: number;
  createdAt: number;
  rows: LedgerRow[];
}

/**
 * Sums charges of an account by day, pot, resource and key. What is kept stays where it is, with the balance that it
 * has: sums go over no row of their pot that is kept, so that running balances hold on both sides of it.
 * @param rows all of the account's between two ids, in their order
 * @throws Error where their balances do not follow from one another: such books are not summarized
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

/** Units are those of the call: they stand in its first row, or in each. */
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

/** Charges of one pot that follow one another. */
class Stretch {
  readonly #groups = new Map<string, DailyRow>();
  #balance: number;

  constructor(private readonly opening: number) {
    this.#balance = opening;
  }

  add(row: LedgerRow): DailyRow {
    this.#balance += row.amount;
    if (this.#balance !== row.balance_after)
      throw new Error(
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

  /** All that is in it is charges: whatever their order, no balance between is less than the last. */
  end(): DailyRow[] {
    let balance = this.opening;
    return [...this.#groups.values()]
      .sort((left, right) => left.id - right.id)
      .map((group) => ({ ...group, balanceAfter: (balance += group.amount) }));
  }
}
