import type { Database } from '../db/schema';
import type { Metrics } from '../telemetry/metrics';
import { type LedgerCheckRecord, lastLedgerCheck } from './ledger-check-record';

/** However often it is scraped, the store is asked no more often than this. */
const FRESH_MS = 10_000;

/** A pool of connections to the store, as the driver counts. */
export interface StorePool {
  name: 'queries' | 'meter';
  totalCount: number;
  idleCount: number;
  /** Queries that wait for a connection. */
  waitingCount: number;
}

/** The connections to the store, and when its books were last proved. A store that is away leaves the latter out of the scrape. */
export function measureStore(
  metrics: Metrics,
  { db, pools, now = Date.now }: { db: Database; pools: () => readonly StorePool[]; now?: () => number },
): void {
  metrics.gauge(
    {
      name: 'turnpike_store_connections',
      help: 'Connections to Postgres by what they are for, and by whether a query is under way on them.',
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
      help: 'Since the books of this database were last checked (npm run admin -- ledger check); absent before the first time.',
      labels: [],
    },
    async (say) => {
      const check = await last();
      if (check) say({}, Math.max(0, (now() - check.at) / 1_000));
    },
  );
  metrics.gauge(
    { name: 'turnpike_ledger_check_faults', help: 'Faults that the last check of the books found.', labels: [] },
    async (say) => {
      const check = await last();
      if (check) say({}, check.faults);
    },
  );
}
