import pg, { type PoolConfig } from 'pg';

const INT8_OID = 20;

/** How long a connection may take to come about before the database counts as away. */
const CONNECT_TIMEOUT_MS = 3_000;
/** A command that died in the middle of a transaction must not hold its locks for ever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

/** What a pool of connections is for. */
export interface PoolUse {
  connectionsMax: number;
  /** The server gives up on a statement after this; null for never. */
  statementTimeoutMs: number | null;
  /** Hears of idle connections that broke; the pool replaces them by itself. */
  onLost: (error: Error) => void;
}

/**
 * Connections to the database at this URL. Amounts, times and ids come as JavaScript numbers.
 * @throws RangeError from a query whose result has an integer that a JavaScript number cannot hold exactly.
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
    // The client's own limit comes a little later, for a server that does not answer at all.
    ...(statementTimeoutMs === null
      ? {}
      : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + 1_000 }),
  };
  const pool = new pg.Pool(config);
  pool.on('error', onLost);
  // The pool hears of idle connections only. One that breaks while it is in use fails its query, which says so.
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
