import { type ApiError, apiError } from '@/lib/protocol/errors';
import pg from 'pg';
import { serversOf } from '@/lib/protocol/database-servers';

/** SQLSTATE classes and codes for failures of the server rather than of the statement (PostgreSQL, Appendix A). */
const AWAY = /^(08|53|57P0|58|25006)/;
const CANCELLED = '57014';
const READ_ONLY = '25006';
const LOCK_NOT_AVAILABLE = '55P03';
/** Statement completion unknown: deploy/plproxy raises this if some partitions may have committed. */
const COMPLETION_UNKNOWN = '40003';
/**
 * Serialization failure. Only statements to partitions can fail in this way, because their transactions are repeatable
 * read.
 */
const SERIALIZATION = '40001';

/**
 * Meaning of a failed statement. Except for `unknown` and `partial`, nothing was changed.
 * - `lock`: a lock was not acquired in time.
 * - `refused`: the server rejected the statement.
 * - `unavailable`: the server could not run the statement now.
 * - `unknown`: the connection or the answer was lost, so the statement may be committed.
 * - `partial`: one partition failed, and others may have committed their part.
 */
export type FailureKind = 'lock' | 'refused' | 'unavailable' | 'unknown' | 'partial';

export function kindOfFailure(error: unknown): FailureKind {
  if (!(error instanceof pg.DatabaseError)) return 'unknown';
  const { code = '', severity } = error;
  if (code === LOCK_NOT_AVAILABLE) return 'lock';
  // A server that ends the session does not say whether the statement took effect.
  if (severity === 'FATAL' || severity === 'PANIC') return 'unknown';
  if (code === COMPLETION_UNKNOWN) return 'partial';
  if (code === CANCELLED || code === SERIALIZATION || AWAY.test(code)) return 'unavailable';
  return 'refused';
}

/** Returns whether a connection must not be used after this error: it is broken, or its server has become a standby. */
export function endsConnection(error: unknown): boolean {
  return kindOfFailure(error) === 'unknown' || (error as { code?: unknown }).code === READ_ONLY;
}

/** Thrown if the database cannot be reached. The message does not contain the password. */
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
  // If all addresses of a host name fail, the AggregateError has an empty message.
  return cause.message || code || cause.name;
}

/** Most outages, such as a restart or a failover, last a few seconds. */
const HEADERS = { 'retry-after': '2' };

/** Builds the 503 for an unreachable database. Nothing was charged. */
export function storeUnavailable(cause: unknown): ApiError {
  return Object.assign(apiError('STORE_UNAVAILABLE', { headers: HEADERS }), { cause });
}

/** Builds the 503 for a charge that may be committed, because its connection broke during the commit. */
export function chargeUnconfirmed(cause: unknown): ApiError {
  const message =
    'The gateway lost its database while it recorded the charge, so it withholds the answer. The call may have been charged: see GET /api/v1/billing/usage.';
  return Object.assign(apiError('STORE_UNAVAILABLE', { message, headers: HEADERS }), { cause });
}

/**
 * Builds the 503 for a call whose reservation is gone: its lease ended, or the database crashed before the reservation
 * was on the disk.
 */
export function reservationLost(): ApiError {
  const message =
    'The reservation of this call is gone, so the gateway withholds the answer. The call was not charged.';
  return apiError('STORE_UNAVAILABLE', { message, headers: HEADERS });
}
