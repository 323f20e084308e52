import pg from 'pg';

/** SQLSTATE classes and codes (PostgreSQL, Appendix A) that say something about the server, not about the statement. */
const AWAY = /^(08|53|57P0|58|25006)/;
const CANCELLED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * What a failed statement means.
 * - `lock`: a lock was not won in time. Nothing was changed.
 * - `refused`: the server said no to the statement itself. Nothing was changed.
 * - `unavailable`: the server could not run it now. Nothing was changed.
 * - `unknown`: the connection was lost, or no answer came: the statement may have been committed.
 */
export type FailureKind = 'lock' | 'refused' | 'unavailable' | 'unknown';

/** Sorts an error of a statement that was sent on a connection. */
export function kindOfFailure(error: unknown): FailureKind {
  if (!(error instanceof pg.DatabaseError)) return 'unknown';
  const { code = '', severity } = error;
  if (code === LOCK_NOT_AVAILABLE) return 'lock';
  // A server that ends the session says so, and does not say how far the statement had come.
  if (severity === 'FATAL' || severity === 'PANIC') return 'unknown';
  if (code === CANCELLED || AWAY.test(code)) return 'unavailable';
  return 'refused';
}

/** A database that cannot be reached, in a sentence without its password. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';

  constructor(url: string, cause: unknown) {
    super(`The Postgres of DATABASE_URL cannot be used (${describeDatabase(url)}): ${reasonOf(cause)}`, { cause });
  }
}

/** Host and name of the database of a URL, as they may be shown. */
export function describeDatabase(url: string): string {
  if (!URL.canParse(url)) return 'a URL without a host';
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? (decodeURIComponent(hostname) || 'localhost');
  return `database ${decodeURIComponent(pathname.slice(1)) || 'by default'} at ${host}${port ? `:${port}` : ''}`;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code } = cause as { code?: string };
  // A name that resolves to several addresses fails once for each.
  return cause.message || code || cause.name;
}
