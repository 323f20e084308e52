import { OPEN_STATES } from '../db/payments';
import type { Database } from '../db/schema';
import type { Metrics } from '../telemetry/metrics';

/** Minimum interval between queries, however often the metrics are scraped. */
const FRESH_MS = 10_000;

interface Open {
  state: string;
  payments: number;
  oldestAt: number;
}

/** Registers metrics of open payments by state, and of the oldest one's age. Omits them if the store cannot be read. */
export function measurePayments(metrics: Metrics, db: Database, now: () => number = Date.now): void {
  let known: { rows: Promise<Open[]>; at: number } | null = null;
  const read = (): Promise<Open[]> => {
    if (known === null || now() - known.at > FRESH_MS) known = { rows: openPayments(db).catch(() => []), at: now() };
    return known.rows;
  };
  metrics.gauge(
    {
      name: 'turnpike_payments_open',
      help: 'Pending payments, by state.',
      labels: ['state'],
    },
    async (say) => {
      for (const { state, payments } of await read()) say({ state }, payments);
    },
  );
  metrics.gauge(
    {
      name: 'turnpike_payments_oldest_open_age_seconds',
      help: 'Age of the oldest pending payment, by state.',
      labels: ['state'],
    },
    async (say) => {
      for (const { state, oldestAt } of await read()) say({ state }, Math.max(0, (now() - oldestAt) / 1_000));
    },
  );
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
