import { isCurrentEpoch } from '../rules/epoch';
import type { Database, Pot } from '../../db/schema';

export interface AccountBalance {
  /** Balances in nano-USD. `diem` is 0 if no allocation is fixed for the current epoch. */
  pots: Record<Pot, number>;
  allocation: number;
}

const NOTHING: AccountBalance = { pots: { diem: 0, bundled: 0, usd: 0, x402: 0 }, allocation: 0 };

export async function readBalance(db: Database, accountId: number, now: number): Promise<AccountBalance> {
  const row = await db
    .selectFrom('meters')
    .leftJoin('allocations', (join) =>
      join
        .onRef('allocations.account_id', '=', 'meters.account_id')
        .onRef('allocations.epoch', '=', 'meters.diem_epoch'),
    )
    .select(['diem', 'bundled', 'usd', 'x402', 'diem_epoch', 'diem_carried', 'amount'])
    .where('meters.account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return NOTHING;
  const isCurrent = isCurrentEpoch(row.diem_epoch, now);
  const { bundled, usd, x402 } = row;
  return {
    pots: { diem: isCurrent ? row.diem - row.diem_carried : 0, bundled, usd, x402 },
    allocation: isCurrent ? (row.amount ?? 0) : 0,
  };
}

export function balancesUsd({ diem, bundled, usd }: AccountBalance['pots']): {
  diem: number;
  bundledCredits: number;
  usd: number;
} {
  return { diem: diem / 1e9, bundledCredits: bundled / 1e9, usd: usd / 1e9 };
}
