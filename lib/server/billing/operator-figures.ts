import type { BooksFigures } from '@/lib/protocol/operator-figures';
import { OPEN_STATES } from '../db/payments';
import type { Database } from '../db/schema';
import { type DailyTotals, dailyTotals, type DailyTotalsOptions } from './daily-totals';
import { type LedgerCheckRecord, lastLedgerCheck } from './ledger-check-record';

interface OpenPayments {
  state: string;
  payments: number;
  nanoUsd: number;
  oldestAt: number;
}

export interface OperatorFigures {
  accounts: number;
  keys: { live: number; ended: number };
  totals: DailyTotals;
  openPayments: OpenPayments[];
  ledgerCheck: LedgerCheckRecord | null;
}

export async function operatorFigures(db: Database, options: DailyTotalsOptions): Promise<OperatorFigures> {
  const { accounts } = await db
    .selectFrom('accounts')
    .select((row) => row.fn.countAll<number | string>().as('accounts'))
    .executeTakeFirstOrThrow();
  return {
    accounts: Number(accounts),
    keys: await countKeys(db, options.now),
    totals: await dailyTotals(db, options),
    openPayments: await openPayments(db),
    ledgerCheck: await lastLedgerCheck(db),
  };
}

export function booksFigures({ accounts, keys, totals, openPayments, ledgerCheck }: OperatorFigures): BooksFigures {
  return {
    accounts,
    keys,
    days: totals.days,
    daysLeftOut: totals.leftOut,
    openPayments: openPayments.map(({ oldestAt, ...open }) => ({
      ...open,
      oldestAt: new Date(oldestAt).toISOString(),
    })),
    ledgerCheck: ledgerCheck && { at: new Date(ledgerCheck.at).toISOString(), faults: ledgerCheck.faults },
  };
}

async function countKeys(db: Database, now: number): Promise<OperatorFigures['keys']> {
  const { live, all } = await db
    .selectFrom('api_keys')
    .select((row) => [
      row.fn.countAll<number | string>().as('all'),
      row.fn
        .sum<number | string | null>(
          row
            .case()
            .when(
              row.and([
                row('revoked_at', 'is', null),
                row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]),
              ]),
            )
            .then(1)
            .else(0)
            .end(),
        )
        .as('live'),
    ])
    .executeTakeFirstOrThrow();
  return { live: Number(live ?? 0), ended: Number(all) - Number(live ?? 0) };
}

async function openPayments(db: Database): Promise<OpenPayments[]> {
  const rows = await db
    .selectFrom('payments')
    .select((row) => [
      'state',
      row.fn.countAll<number | string>().as('payments'),
      row.fn.sum<number | string>('amount').as('amount'),
      row.fn.min<number | string>('created_at').as('oldest'),
    ])
    .where('state', 'in', OPEN_STATES)
    .groupBy('state')
    .orderBy('state')
    .execute();
  return rows.map(({ state, payments, amount, oldest }) => ({
    state,
    payments: Number(payments),
    nanoUsd: Number(amount),
    oldestAt: Number(oldest),
  }));
}
