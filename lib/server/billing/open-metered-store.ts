import type { Logger } from 'pino';
import type { Config } from '../config/load';
import { claimForProfile } from '../db/database-profile';
import { describePlace } from '../db/open';
import { openPostgres } from '../db/postgres/open';
import type { Database } from '../db/schema';
import { PostgresStatus } from '../db/postgres/postgres-status';
import { openSqlite } from '../db/sqlite/open';
import { SqliteStatus } from '../db/sqlite/sqlite-status';
import type { StoreStatus } from '../db/store-status';
import type { Meter, MeterLimits } from './meter';
import { PostgresMeter } from './postgres/postgres-meter';
import type { StorePool } from './store-metrics';
import { SqliteMeter } from './sqlite/sqlite-meter';

/** Time that a call may need, after its upstream's timeout, to finish and be charged. */
const LEASE_MARGIN_MS = 30_000;
const QUERY_TIMEOUT_MS = 60_000;
/** Minimum interval between log lines while the database is unreachable. */
const TROUBLE_INTERVAL_MS = 1_000;

interface MeteredStore {
  db: Database;
  meter: Meter;
  status: StoreStatus;
  /** Connection pools to report in metrics; none on SQLite. */
  pools(): readonly StorePool[];
  close(): Promise<void>;
}

/**
 * Opens the gateway's store: the configured Postgres, which several gateways may share, or else SQLite in the data
 * folder, for this process alone.
 * @param checkpointThread see `openSqlite`
 * @throws DataFolderInUse, DatabaseUnreachable or DatabaseOfOtherProfile; in that case nothing stays open
 */
export function openMeteredStore(config: Config, log: Logger, checkpointThread = true): Promise<MeteredStore> {
  const limits = meterLimits(config);
  return config.databaseUrl
    ? onPostgres(config.databaseUrl, limits, config, log)
    : onSqlite(limits, config, log, checkpointThread);
}

export function meterLimits({ limits }: Pick<Config, 'limits'>): MeterLimits {
  return { requestsPerMinute: limits.rpcRequestsPerMinute, creditsPerDay: limits.rpcCreditsPerDay };
}

async function onPostgres(
  url: NonNullable<Config['databaseUrl']>,
  limits: MeterLimits,
  config: Config,
  log: Logger,
): Promise<MeteredStore> {
  const tell = oncePer(TROUBLE_INTERVAL_MS, (error: Error) => log.warn({ err: error }, 'database was not reachable'));
  const status = new PostgresStatus(url);
  const onTrouble = (error: Error): void => {
    status.failed(error);
    tell(error);
  };
  const store = await claimed(await openPostgres(url, onTrouble, QUERY_TIMEOUT_MS), config);
  const meter = new PostgresMeter(url, {
    limits,
    keeping: config.idempotency,
    leaseMs: config.rpc.timeoutMs + LEASE_MARGIN_MS,
    onTrouble,
  });
  const pools = [
    ['queries', store.pool],
    ['meter', meter.pool],
  ] as const;
  return {
    db: store.db,
    meter,
    status,
    pools: () =>
      pools.map(([name, { totalCount, idleCount, waitingCount }]) => ({ name, totalCount, idleCount, waitingCount })),
    close: () => closeAll(meter, status, store),
  };
}

async function onSqlite(
  limits: MeterLimits,
  config: Config,
  log: Logger,
  checkpointThread: boolean,
): Promise<MeteredStore> {
  const store = await claimed(await openSqlite(config.dataDir, { exclusive: true, checkpointThread }), config);
  const status = new SqliteStatus(store.meterConnection, {
    dataDir: config.dataDir,
    freeBytesMin: config.diskFreeBytesMin,
    log,
  });
  const meter = new SqliteMeter(store, limits, config.idempotency, status);
  await status.look();
  return { db: store.db, meter, status, pools: () => [], close: () => closeAll(meter, status, store) };
}

/**
 * Claims the database for the profile. Must run before the meter opens, because opening the meter charges the
 * checkpoints of a crashed process.
 */
async function claimed<S extends { db: Database; close(): Promise<void> }>(store: S, config: Config): Promise<S> {
  try {
    await claimForProfile(store.db, config.profile, describePlace(config));
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function closeAll(
  meter: Meter,
  status: { close(): void | Promise<void> },
  store: { close(): Promise<void> },
): Promise<void> {
  await meter.close();
  await status.close();
  await store.close();
}

function oncePer<T>(intervalMs: number, tell: (value: T) => void): (value: T) => void {
  let toldAt = -Infinity;
  return (value) => {
    const now = performance.now();
    if (now - toldAt < intervalMs) return;
    toldAt = now;
    tell(value);
  };
}
