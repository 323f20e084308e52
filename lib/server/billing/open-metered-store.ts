import type { Logger } from 'pino';
import type { Config } from '../config/load';
import { openPostgres } from '../db/postgres/open';
import type { Database } from '../db/schema';
import { openSqlite } from '../db/sqlite/open';
import type { Meter, MeterLimits } from './meter';
import { PostgresMeter } from './postgres/postgres-meter';
import { SqliteMeter } from './sqlite/sqlite-meter';

/** What a call may take beside its upstream: reading the answer's last bytes, and charging. */
const LEASE_MARGIN_MS = 30_000;
/** Every statement fails while the database is away: one line says so for all of them. */
const TROUBLE_INTERVAL_MS = 1_000;

/** The store of a gateway with its meter. */
export interface MeteredStore {
  db: Database;
  meter: Meter;
  close(): Promise<void>;
}

/**
 * Opens the store of a gateway: the Postgres of the configuration, which any number of them may share, else SQLite in
 * the data folder, which is then this one's alone.
 * @throws DataFolderInUse or DatabaseUnreachable; nothing is left open then.
 */
export function openMeteredStore(config: Config, log: Logger): Promise<MeteredStore> {
  const limits = { requestsPerMinute: config.limits.rpcRequestsPerMinute, creditsPerDay: config.limits.rpcCreditsPerDay };
  return config.databaseUrl ? onPostgres(config.databaseUrl, limits, config, log) : onSqlite(limits, config);
}

async function onPostgres(url: NonNullable<Config['databaseUrl']>, limits: MeterLimits, config: Config, log: Logger): Promise<MeteredStore> {
  const onTrouble = oncePer(TROUBLE_INTERVAL_MS, (error: Error) => log.warn({ err: error }, 'the database was away'));
  const store = await openPostgres(url, onTrouble);
  const meter = new PostgresMeter(url, { limits, keeping: config.idempotency, leaseMs: config.rpc.timeoutMs + LEASE_MARGIN_MS, onTrouble });
  return { db: store.db, meter, close: () => closeBoth(meter, store) };
}

async function onSqlite(limits: MeterLimits, config: Config): Promise<MeteredStore> {
  const store = await openSqlite(config.dataDir, { exclusive: true });
  const meter = new SqliteMeter(store.meterConnection, limits, config.idempotency);
  return { db: store.db, meter, close: () => closeBoth(meter, store) };
}

async function closeBoth(meter: Meter, store: { close(): Promise<void> }): Promise<void> {
  await meter.close();
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
