import type { BooksFigures } from '@/lib/protocol/operator-figures';
import { setImmediate as turn } from 'node:timers/promises';
import { OPEN_STATES } from '../db/payments';
import type { Database } from '../db/schema';
import { trafficOf } from '../db/traffic-days';
import { lastLedgerCheck, type LedgerCheckRecord } from './ledger-check';
import { epochAt, epochName } from './rules/epoch';
import { figuresOf, REQUEST_SECONDS, type TrafficFigures } from './traffic-figures';

/** Number of ids per statement. Such a statement takes about 10 ms. */
const IDS_AT_ONCE = 50_000;

interface OpenPayments {
  state: string;
  payments: number;
  nanoUsd: number;
  oldestAt: number;
}

export interface OperatorFigures {
  accounts: number;
  keys: { live: number; ended: number };
  days: DayTotals[];
  openPayments: OpenPayments[];
  ledgerCheck: LedgerCheckRecord | null;
}

export async function operatorFigures(db: Database, options: { days: number; now: number }): Promise<OperatorFigures> {
  return {
    accounts: await countAccounts(db),
    keys: await countKeys(db, options.now),
    days: await dailyTotals(db, options),
    openPayments: await openPayments(db),
    ledgerCheck: await lastLedgerCheck(db),
  };
}

export function booksFigures({ accounts, keys, days, openPayments, ledgerCheck }: OperatorFigures): BooksFigures {
  return {
    accounts,
    keys,
    days,
    openPayments: openPayments.map(({ oldestAt, ...open }) => ({
      ...open,
      oldestAt: new Date(oldestAt).toISOString(),
    })),
    ledgerCheck: ledgerCheck && { at: new Date(ledgerCheck.at).toISOString(), faults: ledgerCheck.faults },
  };
}

/**
 * Yields ranges of a table's ids, one range for each statement. A statement on SQLite blocks this thread, so other work
 * runs between two ranges.
 */
export async function* idRanges(
  db: Database,
  table: 'accounts' | 'api_keys',
  idsAtOnce = IDS_AT_ONCE,
): AsyncGenerator<[after: number, through: number]> {
  const { last } = await db
    .selectFrom(table)
    .select((row) => row.fn.max<number | null>('id').as('last'))
    .executeTakeFirstOrThrow();
  for (let after = 0; after < (last ?? 0); after += idsAtOnce) {
    yield [after, after + idsAtOnce];
    await turn();
  }
}

async function countAccounts(db: Database): Promise<number> {
  let accounts = 0;
  for await (const [after, through] of idRanges(db, 'accounts')) {
    const { all } = await db
      .selectFrom('accounts')
      .select((row) => row.fn.countAll<number | string>().as('all'))
      .where('id', '>', after)
      .where('id', '<=', through)
      .executeTakeFirstOrThrow();
    accounts += Number(all);
  }
  return accounts;
}

async function countKeys(db: Database, now: number): Promise<OperatorFigures['keys']> {
  const keys = { live: 0, ended: 0 };
  for await (const [after, through] of idRanges(db, 'api_keys')) {
    const { all, live } = await db
      .selectFrom('api_keys')
      .select((row) => [
        row.fn.countAll<number | string>().as('all'),
        row.fn
          .countAll<number | string>()
          .filterWhere('revoked_at', 'is', null)
          .filterWhere((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', now)]))
          .as('live'),
      ])
      .where('id', '>', after)
      .where('id', '<=', through)
      .executeTakeFirstOrThrow();
    keys.live += Number(live);
    keys.ended += Number(all) - Number(live);
  }
  return keys;
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

interface DayTotals {
  /** UTC day such as `2026-11-24`. */
  day: string;
  charges: number;
  chargedNanoUsd: number;
  /** Sum of top-ups. */
  paidInNanoUsd: number;
  /**
   * Withdrawals including their fees, minus failed withdrawals. Negative if a day's failed withdrawals exceed its new
   * ones.
   */
  withdrawnNanoUsd: number;
  /** Requests to all gateway processes; null if there were none. */
  traffic: TrafficFigures | null;
}

/**
 * Returns the ledger's sums and the requests by day. Takes the same time for any number of accounts and charges.
 * @param days number of days, today included
 * @returns days in calendar order, including days without ledger rows or requests
 */
export async function dailyTotals(db: Database, { days, now }: { days: number; now: number }): Promise<DayTotals[]> {
  const first = epochAt(now) - days + 1;
  const rows = await db
    .selectFrom('ledger_days')
    .select((row) => [
      'day',
      row.fn.sum<number | string>('calls').as('calls'),
      row.fn.sum<number | string>('charged').as('charged'),
      row.fn.sum<number | string>('paid_in').as('paid_in'),
      row.fn.sum<number | string>('withdrawn').as('withdrawn'),
    ])
    .where('day', '>=', first)
    .where('day', '<', first + days)
    .groupBy('day')
    .execute();
  const traffic = await trafficOf(db, first, days);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_none, index) => {
    const sums = byDay.get(first + index);
    const day = epochName(first + index);
    const sample = traffic.get(day);
    return {
      day,
      charges: Number(sums?.calls ?? 0),
      chargedNanoUsd: Number(sums?.charged ?? 0),
      paidInNanoUsd: Number(sums?.paid_in ?? 0),
      withdrawnNanoUsd: Number(sums?.withdrawn ?? 0),
      traffic: sample === undefined ? null : figuresOf(sample, REQUEST_SECONDS),
    };
  });
}

const DAYS = 30;
const FRESH_MS = 10_000;

/** Caches the operator's figures for 10 s. Runs one read at a time. */
export class OperatorBooks {
  #reading: Promise<BooksFigures> | null = null;
  #last: { figures: BooksFigures; at: number } | null = null;

  /** @param parts.written writes this process's latest request counts to the store */
  constructor(private readonly parts: { db: Database; now: () => number; written: () => Promise<void> }) {}

  async read(): Promise<BooksFigures> {
    const { now } = this.parts;
    if (this.#last !== null && now() - this.#last.at < FRESH_MS) return this.#last.figures;
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #read(): Promise<BooksFigures> {
    const { db, now, written } = this.parts;
    const at = now();
    await written();
    const figures = booksFigures(await operatorFigures(db, { days: DAYS, now: at }));
    this.#last = { figures, at };
    return figures;
  }
}
