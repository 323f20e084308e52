import type { DatabaseSync } from 'node:sqlite';
import type { ChargeEntry, PotAmounts } from '../rules/spending-order';
import { SQLITE_WRITER } from '../../db/ledger-days';
import { epochAt } from '../rules/epoch';
import { RowWriter } from './row-writer';

interface SummedCharge {
  account: { id: number };
  apiKeyId: number | null;
  bought: { resource: string };
  entries: readonly ChargeEntry[];
  at: number;
}

interface Sum {
  day: number;
  accountId: number;
  apiKeyId: number;
  resource: string;
  calls: number;
  units: number;
  amounts: { -readonly [K in keyof PotAmounts]: PotAmounts[K] };
  lastAt: number;
}

/** Writes the daily sums of a group of charges (`charge_days`, `ledger_days`) in the group's transaction. */
export class ChargeSums {
  readonly #days: RowWriter;
  readonly #totals: RowWriter;
  #sums: Sum[] = [];

  constructor(connection: DatabaseSync) {
    this.#days = new RowWriter(
      connection,
      'insert into charge_days (day, account_id, api_key_id, resource, calls, units, diem, bundled, usd, x402, last_at)',
      11,
      `on conflict (day, account_id, api_key_id, resource) do update set ${['calls', 'units', 'diem', 'bundled', 'usd', 'x402'].map((column) => `${column} = ${column} + excluded.${column}`).join(', ')}, last_at = max(last_at, excluded.last_at)`,
    );
    this.#totals = new RowWriter(
      connection,
      'insert into ledger_days (day, writer, calls, charged, paid_in, withdrawn)',
      6,
      'on conflict (day, writer) do update set calls = calls + excluded.calls, charged = charged + excluded.charged',
    );
  }

  add({ account, apiKeyId, bought, entries, at }: SummedCharge): void {
    if (entries.length === 0) return;
    const sum = this.#sumOf(epochAt(at), account.id, apiKeyId ?? 0, bought.resource);
    sum.calls++;
    sum.lastAt = Math.max(sum.lastAt, at);
    for (const { place, amount, units } of entries) {
      (sum.amounts[place] as number) += amount;
      sum.units += units;
    }
  }

  flush(): void {
    const totals = new Map<number, { calls: number; charged: number }>();
    for (const { day, accountId, apiKeyId, resource, calls, units, amounts, lastAt } of this.#sums) {
      this.#days.add(day, accountId, apiKeyId, resource, calls, units, ...amounts, lastAt);
      let total = totals.get(day);
      if (!total) totals.set(day, (total = { calls: 0, charged: 0 }));
      total.calls += calls;
      for (const amount of amounts) total.charged += amount;
    }
    this.#sums = [];
    for (const [day, { calls, charged }] of totals) this.#totals.add(day, SQLITE_WRITER, calls, charged, 0, 0);
    this.#days.flush();
    this.#totals.flush();
  }

  discard(): void {
    this.#sums = [];
    this.#days.discard();
    this.#totals.discard();
  }

  /** Searches the list of sums. The group is small, so building keys for a map would take longer. */
  #sumOf(day: number, accountId: number, apiKeyId: number, resource: string): Sum {
    for (const sum of this.#sums)
      if (sum.accountId === accountId && sum.apiKeyId === apiKeyId && sum.day === day && sum.resource === resource)
        return sum;
    const sum: Sum = { day, accountId, apiKeyId, resource, calls: 0, units: 0, amounts: [0, 0, 0, 0], lastAt: 0 };
    this.#sums.push(sum);
    return sum;
  }
}
