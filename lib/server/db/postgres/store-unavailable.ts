import { type ApiError, apiError } from '@/lib/protocol/errors';

/** 503: the database could not be asked, and nothing was charged. */
export function storeUnavailable(cause: unknown): ApiError {
  return Object.assign(apiError('STORE_UNAVAILABLE'), { cause });
}

/** 503 where the database went away with a charge, and does not come back to say whether it is written. */
export function chargeUnconfirmed(cause: unknown): ApiError {
  const message =
    'The gateway lost its database while it wrote the charge, so the answer is withheld. The call may have been charged; the usage list will tell.';
  return Object.assign(apiError('STORE_UNAVAILABLE', { message }), { cause });
}
