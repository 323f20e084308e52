import { type ApiError, apiError } from '@/lib/protocol/errors';

/** Most outages are a few seconds: a restart, or a failover. */
const HEADERS = { 'retry-after': '2' };

/** Builds the 503 for an unreachable database. Nothing was charged. */
export function storeUnavailable(cause: unknown): ApiError {
  return Object.assign(apiError('STORE_UNAVAILABLE', { headers: HEADERS }), { cause });
}

/** Builds the 503 for a charge that may be committed: the connection broke during the commit. */
export function chargeUnconfirmed(cause: unknown): ApiError {
  const message =
    'The gateway lost its database while it recorded the charge, so it withholds the answer. The call may have been charged: see GET /api/v1/billing/usage.';
  return Object.assign(apiError('STORE_UNAVAILABLE', { message, headers: HEADERS }), { cause });
}

/**
 * Builds the 503 for a call whose reservation is gone: its lease ended, or a crash of the database lost it. Reservations
 * do not wait for the disk.
 */
export function reservationLost(): ApiError {
  const message = 'The reservation of this call is gone, so the gateway withholds the answer. It was not charged.';
  return apiError('STORE_UNAVAILABLE', { message, headers: HEADERS });
}
