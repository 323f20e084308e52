import pg, { type PoolConfig } from 'pg';

const INT8_OID = 20;

/** Time to connect. A database that needs longer counts as unreachable. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Longest pause within a transaction. After it, the server frees the locks of a crashed command. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

interface PoolUse {
  connectionsMax: number;
  /** Statement timeout on the server; null if none. */
  statementTimeoutMs: number | null;
  /** Called when an idle connection broke. The pool replaces the connection. */
  onLost: (error: Error) => void;
}

/**
 * Creates a connection pool. Amounts, times and ids become JavaScript numbers.
 * @throws RangeError from a query whose result has an integer that a number cannot hold exactly
 */
export function createPool(url: string, { connectionsMax, statementTimeoutMs, onLost }: PoolUse): pg.Pool {
  const config: PoolConfig = {
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'turnpike',
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    // The client's own timeout is for a server that does not answer at all, so it is slightly longer.
    ...(statementTimeoutMs === null
      ? {}
      : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + 1_000 }),
  };
  const pool = new pg.Pool(config);
  pool.on('error', onLost);
  // The pool handles only errors of idle connections. Without this listener, the error of a busy connection would end
  // the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === INT8_OID && format !== 'binary' ? safeInteger : pg.types.getTypeParser(oid, format as 'text');
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database holds an integer beyond 2^53: ${text}.`);
  return value;
}
