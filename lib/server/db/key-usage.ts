import { epochAt } from '@/lib/protocol/allocation/epoch';
import { periodName, periodStart } from '@/lib/protocol/api-keys/terms';
import type { ApiKey } from './api-keys';
import type { Database, LimitPeriod } from './schema';

/** A key's spending in nano-USD, and the time of its last charge in Unix milliseconds. */
export interface KeyUsage {
  currentPeriod: Spent;
  total: Spent;
  lastUsedAt: number | null;
}

/** `diem` is from the daily allocation, `usd` from all other balances. */
export interface Spent {
  usd: number;
  diem: number;
}

interface AccountUsage {
  asOf: number;
  of(key: { id: number; limitPeriod: LimitPeriod }): KeyUsage;
}

interface KeyDay extends Spent {
  /** UTC days since 1970. */
  day: number;
  lastAt: number;
}

/** Reads the spending of an account's keys from the daily sums. */
export async function readKeyUsage(db: Database, accountId: number, now = Date.now()): Promise<AccountUsage> {
  const rows = await db
    .selectFrom('charge_days')
    .select((row) => [
      'api_key_id',
      'day',
      row.fn.sum<number | string>('diem').as('diem'),
      row.fn.sum<number | string>('bundled').as('bundled'),
      row.fn.sum<number | string>('usd').as('usd'),
      row.fn.sum<number | string>('x402').as('x402'),
      row.fn.max<number | string>('last_at').as('last_at'),
    ])
    .where('account_id', '=', accountId)
    .where('api_key_id', '>', 0)
    .groupBy(['api_key_id', 'day'])
    .execute();
  const ofKey = new Map<number, KeyDay[]>();
  for (const { api_key_id: keyId, day, diem, bundled, usd, x402, last_at: lastAt } of rows) {
    const days = ofKey.get(keyId) ?? [];
    ofKey.set(keyId, days);
    days.push({ day, diem: Number(diem), usd: Number(bundled) + Number(usd) + Number(x402), lastAt: Number(lastAt) });
  }
  return { asOf: now, of: ({ id, limitPeriod }) => usageOf(ofKey.get(id) ?? [], limitPeriod, now) };
}

function usageOf(rows: readonly KeyDay[], period: LimitPeriod, now: number): KeyUsage {
  const firstDay = epochAt(periodStart(period, now));
  return {
    currentPeriod: sumOf(rows.filter(({ day }) => day >= firstDay)),
    total: sumOf(rows),
    lastUsedAt: rows.length === 0 ? null : Math.max(...rows.map(({ lastAt }) => lastAt)),
  };
}

function sumOf(rows: readonly Spent[]): Spent {
  return { usd: rows.reduce((sum, { usd }) => sum + usd, 0), diem: rows.reduce((sum, { diem }) => sum + diem, 0) };
}

/**
 * Returns what is left of a key's limits in the current period, in nano-USD. A limit of null means Infinity, but for
 * `prepaid` it means 0. `usd` covers all balances except the daily allocation.
 */
export async function leftOfLimits(
  db: Database,
  { id, limitPeriod, limitUsdNano, limitDiemNano, limitPrepaidNano }: ApiKey,
  now: number,
): Promise<Spent & { prepaid: number }> {
  const spent = await db
    .selectFrom('key_spend')
    .select(['usd', 'diem', 'prepaid'])
    .where('api_key_id', '=', id)
    .where('period', '=', periodName(limitPeriod, now))
    .executeTakeFirst();
  const left = (limit: number, used = 0): number => Math.max(0, limit - used);
  return {
    usd: left(limitUsdNano ?? Infinity, spent?.usd),
    diem: left(limitDiemNano ?? Infinity, spent?.diem),
    prepaid: left(limitPrepaidNano ?? 0, spent?.prepaid),
  };
}
