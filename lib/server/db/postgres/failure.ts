import pg from 'pg';
import { serversOf } from '@/lib/protocol/database-servers';

/** SQLSTATE classes and codes that concern the server, not the statement (PostgreSQL, Appendix A). */
const AWAY = /^(08|53|57P0|58|25006)/;
const CANCELLED = '57014';
const READ_ONLY = '25006';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Meaning of a failed statement. Except for `unknown`, nothing was changed.
 * - `lock`: a lock was not acquired in time.
 * - `refused`: the server rejected the statement.
 * - `unavailable`: the server could not run the statement now.
 * - `unknown`: the connection or the answer was lost, so the statement may be committed.
 */
export type FailureKind = 'lock' | 'refused' | 'unavailable' | 'unknown';

export function kindOfFailure(error: unknown): FailureKind {
  if (!(error instanceof pg.DatabaseError)) return 'unknown';
  const { code = '', severity } = error;
  if (code === LOCK_NOT_AVAILABLE) return 'lock';
  // A server that ends the session does not say whether the statement took effect.
  if (severity === 'FATAL' || severity === 'PANIC') return 'unknown';
  if (code === CANCELLED || AWAY.test(code)) return 'unavailable';
  return 'refused';
}

/** Returns whether a connection must not be used after this error: it is broken, or its server has become a standby. */
export function endsConnection(error: unknown): boolean {
  return kindOfFailure(error) === 'unknown' || (error as { code?: unknown }).code === READ_ONLY;
}

/** The database cannot be reached. The message has no password. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';

  constructor(url: string, cause: unknown) {
    super(`The Postgres of DATABASE_URL cannot be used (${describeDatabase(url)}): ${reasonOf(cause)}`, { cause });
  }
}

export function describeDatabase(text: string): string {
  const { url, servers } = serversOf(text);
  if (!URL.canParse(url)) return 'a URL without a host';
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? (decodeURIComponent(hostname) || 'localhost');
  const places = servers.map((server) => `${server.host}:${server.port}`).join(', ');
  return `database ${decodeURIComponent(pathname.slice(1)) || 'by default'} at ${places || `${host}${port ? `:${port}` : ''}`}`;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code } = cause as { code?: string };
  // The joint error for a host name with several addresses has no message.
  return cause.message || code || cause.name;
}
