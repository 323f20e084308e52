import type { Database } from '../db/schema';
import type { Metrics } from '../telemetry/metrics';
import { type LedgerCheckRecord, lastLedgerCheck } from './ledger-check';

/** Minimum interval between queries, even if metrics are read more often. */
const FRESH_MS = 10_000;

export interface StorePool {
  name: 'queries' | 'meter';
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/**
 * Registers metrics of Postgres connections and of the last ledger check. The check's metrics are absent if the
 * database cannot be read.
 */
export function measureStore(
  metrics: Metrics,
  { db, pools, now = Date.now }: { db: Database; pools: () => readonly StorePool[]; now?: () => number },
): void {
  metrics.gauge(
    {
      name: 'turnpike_store_connections',
      help: 'Connections to Postgres, by purpose, idle or busy.',
      labels: ['pool', 'state'],
    },
    (say) => {
      for (const { name, totalCount, idleCount } of pools()) {
        say({ pool: name, state: 'idle' }, idleCount);
        say({ pool: name, state: 'busy' }, totalCount - idleCount);
      }
    },
  );
  metrics.gauge(
    {
      name: 'turnpike_store_queries_waiting',
      help: 'Queries that wait for a connection to Postgres.',
      labels: ['pool'],
    },
    (say) => {
      for (const { name, waitingCount } of pools()) say({ pool: name }, waitingCount);
    },
  );
  let known: { check: Promise<LedgerCheckRecord | null>; at: number } | null = null;
  const last = (): Promise<LedgerCheckRecord | null> => {
    if (known === null || now() - known.at > FRESH_MS)
      known = { check: lastLedgerCheck(db).catch(() => null), at: now() };
    return known.check;
  };
  metrics.gauge(
    {
      name: 'turnpike_ledger_check_age_seconds',
      help: 'Time since the last ledger check (npm run admin -- ledger check); absent before the first check.',
      labels: [],
    },
    async (say) => {
      const check = await last();
      if (check) say({}, Math.max(0, (now() - check.at) / 1_000));
    },
  );
  metrics.gauge(
    { name: 'turnpike_ledger_check_faults', help: 'Faults found by the last ledger check.', labels: [] },
    async (say) => {
      const check = await last();
      if (check) say({}, check.faults);
    },
  );
}
