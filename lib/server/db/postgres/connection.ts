import pg, { type PoolConfig } from 'pg';
import { Primary, refuseReadOnly } from './primary';
import { primaryClient } from './primary-client';
import { type Server, serversOf } from '@/lib/protocol/database-servers';

const INT8_OID = 20;

/** Connection timeout. A database that needs longer counts as unreachable. */
const CONNECT_TIMEOUT_MS = 3_000;
/**
 * Maximum idle time within a transaction. After that, the server ends the transaction, so that a crashed command holds
 * no locks.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

interface PoolUse {
  connectionsMax: number;
  /** Statement timeout on the server; null if none. */
  statementTimeoutMs: number | null;
  /** Called when an idle connection broke. The pool replaces the connection. */
  onLost: (error: Error) => void;
}

/**
 * The server that accepts writes, by URL. All pools of this process share this map, so that they leave a failed server
 * together.
 */
const primaries = new Map<string, Primary>();

/**
 * Creates a connection pool. Amounts, times and ids become JavaScript numbers. If the URL lists several servers, all
 * connections go to the one that accepts writes.
 *
 * @throws RangeError if servers or options in the URL are invalid. A query also fails with RangeError for an integer
 * that a JavaScript number cannot hold exactly
 */
export function createPool(text: string, { connectionsMax, statementTimeoutMs, onLost }: PoolUse): pg.Pool {
  const { url, servers, isPrepared } = serversOf(text);
  const config: PoolConfig = {
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'turnpike',
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    // The client's own timeout is slightly longer, because it is only for a server that does not answer at all.
    ...(statementTimeoutMs === null
      ? {}
      : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + 1_000 }),
  };
  const pool = servers.length === 0 ? new pg.Pool(config) : poolOfPrimary(config, primaryOf(text, servers, url));
  pool.on('error', onLost);
  pool.on('connect', (client) => {
    // The pool handles only errors of idle connections. Without this listener, the error of a busy connection would end
    // the process.
    client.on('error', () => undefined);
    if (!isPrepared) forgetNames(client);
  });
  return pool;
}

function primaryOf(text: string, servers: readonly Server[], url: string): Primary {
  const known = primaries.get(text);
  if (known) return known;
  const primary = new Primary(servers, { connectionString: url, application_name: 'turnpike' });
  primaries.set(text, primary);
  return primary;
}

function poolOfPrimary(config: PoolConfig, primary: Primary): pg.Pool {
  const { Client, leave } = primaryClient(primary);
  const pool = new pg.Pool({
    ...config,
    Client: Client as unknown as new () => pg.ClientBase,
    verify: (client, done) => void refuseReadOnly(client).then(() => done(), done),
  });
  const stop = primary.onMoved(leave);
  // A failed statement may mean that its server is no longer the primary.
  pool.on('release', (error) => error && primary.forget());
  const end = pool.end.bind(pool) as () => Promise<void>;
  pool.end = () => (stop(), end());
  return pool;
}

/**
 * Sends unnamed statements. A pooler may run a statement on a server connection on which its name was never prepared.
 */
function forgetNames(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (statement: unknown, ...rest: unknown[]) => unknown;
  const unnamed = (statement: unknown, ...rest: unknown[]) =>
    query(typeof statement === 'object' ? { ...statement, name: undefined } : statement, ...rest);
  client.query = unnamed as typeof client.query;
}

function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === INT8_OID && format !== 'binary' ? safeInteger : pg.types.getTypeParser(oid, format as 'text');
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database holds an integer beyond 2^53: ${text}.`);
  return value;
}
