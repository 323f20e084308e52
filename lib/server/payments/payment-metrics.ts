import { OPEN_STATES } from '../db/payments';
import type { Database } from '../db/schema';
import type { Metrics } from '../telemetry/metrics';

const FRESH_MS = 10_000;

interface Open {
  state: string;
  payments: number;
  oldestAt: number;
}

interface Withdrawn {
  state: string;
  withdrawals: number;
  nanoUsd: number;
}

/** Registers metrics of open payments and withdrawals. If the store cannot be read, the metrics are left out. */
export function measurePayments(metrics: Metrics, db: Database, now: () => number = Date.now): void {
  const payments = remembered(() => openPayments(db), now);
  metrics.gauge(
    {
      name: 'turnpike_payments_open',
      help: 'Pending payments, by state.',
      labels: ['state'],
    },
    async (say) => {
      for (const { state, payments: count } of await payments()) say({ state }, count);
    },
  );
  metrics.gauge(
    {
      name: 'turnpike_payments_oldest_open_age_seconds',
      help: 'Age of the oldest pending payment, by state.',
      labels: ['state'],
    },
    async (say) => {
      for (const { state, oldestAt } of await payments()) say({ state }, Math.max(0, (now() - oldestAt) / 1_000));
    },
  );
  const withdrawals = remembered(() => withdrawalsByState(db), now);
  metrics.gauge(
    { name: 'turnpike_withdrawals_total', help: 'Withdrawals in the database, by state.', labels: ['state'] },
    async (say) => {
      for (const { state, withdrawals: count } of await withdrawals()) say({ state }, count);
    },
  );
  metrics.gauge(
    {
      name: 'turnpike_withdrawals_nano_usd_total',
      help: 'Amount of the withdrawals in the database, fees included, by state.',
      labels: ['state'],
    },
    async (say) => {
      for (const { state, nanoUsd } of await withdrawals()) say({ state }, nanoUsd);
    },
  );
}

/** Wraps a query. Repeats its last result for `FRESH_MS`. */
function remembered<Row>(query: () => Promise<Row[]>, now: () => number): () => Promise<Row[]> {
  let known: { rows: Promise<Row[]>; at: number } | null = null;
  return () => {
    if (known === null || now() - known.at > FRESH_MS) known = { rows: query().catch(() => []), at: now() };
    return known.rows;
  };
}

async function openPayments(db: Database): Promise<Open[]> {
  const rows = await db
    .selectFrom('payments')
    .select((row) => [
      'state',
      row.fn.countAll<number | string>().as('payments'),
      row.fn.min<number | string>('created_at').as('oldest'),
    ])
    .where('state', 'in', OPEN_STATES)
    .groupBy('state')
    .execute();
  return rows.map(({ state, payments, oldest }) => ({ state, payments: Number(payments), oldestAt: Number(oldest) }));
}

async function withdrawalsByState(db: Database): Promise<Withdrawn[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select((row) => [
      'state',
      row.fn.countAll<number | string>().as('withdrawals'),
      row.fn.sum<number | string>('amount').as('amount'),
    ])
    .groupBy('state')
    .execute();
  return rows.map(({ state, withdrawals, amount }) => ({
    state,
    withdrawals: Number(withdrawals),
    nanoUsd: Number(amount),
  }));
}
