import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../db/schema';
import { epochAt, epochStart } from '../rules/epoch';

/** Maximum ledger rows per statement. Such a statement takes about 10 ms. */
const ROWS_MAX = 20_000;

/**
 * Divides an account's period into slices, newest first: one per UTC day, or several if a day has more rows than one
 * statement may read. Never splits a charge, because all rows of a charge have the same time. Pauses between slices,
 * because a statement on SQLite blocks this process.
 */
export async function* slicesOf<Period extends { accountId: number; from: number; until: number }>(
  db: Database,
  period: Period,
  rowsMax = ROWS_MAX,
): AsyncGenerator<Period> {
  for (let until = period.until; until > period.from;) {
    const dayFrom = Math.max(period.from, epochStart(epochAt(until - 1)));
    const beyond = await db
      .selectFrom('ledger')
      .select('created_at')
      .where('account_id', '=', period.accountId)
      .where('created_at', '>=', dayFrom)
      .where('created_at', '<', until)
      .orderBy('created_at', 'desc')
      .limit(1)
      .offset(rowsMax)
      .executeTakeFirst();
    const from = beyond === undefined ? dayFrom : Math.min(beyond.created_at + 1, until - 1);
    yield { ...period, from, until };
    until = from;
    await turn();
  }
}
