import { isScopeWithin } from '@/lib/protocol/api-keys/key-scope';
import { apiError } from '@/lib/protocol/errors';
import type { ApiKey, KeyBudget } from '../db/api-keys';
import type { LimitPeriod } from '../db/schema';

const PERIOD_LENGTHS: Readonly<Record<LimitPeriod, number>> = { EPOCH: 1, MONTH: 2, LIFETIME: 3 };

/** Refuses a key that may not manage the keys of its account, as it is now. @throws ApiError 401 where it has ended, 403 for an INFERENCE key. */
export function requireKeyHolder(key: ApiKey | null, now: number): asserts key is ApiKey {
  if (!key) throw apiError('INVALID_API_KEY');
  if (key.revokedAt !== null) throw apiError('API_KEY_REVOKED');
  if (key.expiresAt !== null && key.expiresAt <= now) throw apiError('API_KEY_EXPIRED');
  if (key.type !== 'ADMIN')
    throw apiError('FORBIDDEN', {
      message: 'An INFERENCE key may not list or revoke keys.',
      hint: 'Use an ADMIN key of the account, or sign in with its wallet (SIGN-IN-WITH-X).',
    });
}

/**
 * Refuses a change by which a key would have more than its owner gave: a key changes nothing of itself, and of another
 * only what leaves that key within its own bounds.
 * @param by the ADMIN key that asks
 * @throws ApiError 403
 */
export function requireMayChange(by: ApiKey, key: ApiKey, change: Partial<KeyBudget>): void {
  if (by.id === key.id) throw forbidden('A key cannot change its own bounds or alert.');
  const bound = boundBeyond({ ...key, ...change }, key, by);
  if (bound !== null)
    throw forbidden(`An ADMIN key changes only keys within its own bounds, and this one would have ${bound}.`);
}

/** What a key would have that another has not, in words; null where it would have nothing more. */
function boundBeyond(after: ApiKey, before: ApiKey, by: ApiKey): string | null {
  if (!isScopeWithin(after.allow, by.allow)) return 'more in "allow"';
  if (!isLimitWithin(after.limitUsdNano, by.limitUsdNano, after, by)) return 'a higher limit in USD';
  if (!isLimitWithin(after.limitDiemNano, by.limitDiemNano, after, by)) return 'a higher limit of the daily allocation';
  if (by.expiresAt !== null && (after.expiresAt === null || after.expiresAt > by.expiresAt)) return 'a later expiry';
  // Most ADMIN keys have no prepaid share. They still manage a key that has one, but find it no further use.
  const isWider = !isScopeWithin(after.allow, before.allow);
  if (
    isWider &&
    after.limitPrepaidNano !== null &&
    !isLimitWithin(after.limitPrepaidNano, by.limitPrepaidNano ?? 0, after, by)
  )
    return 'a prepaid share for more in "allow"';
  return null;
}

/** Whether a limit holds a key to no more than another limit would: as much in a period at least as long. Null is no limit. */
function isLimitWithin(
  inner: number | null,
  outer: number | null,
  { limitPeriod: innerPeriod }: ApiKey,
  { limitPeriod: outerPeriod }: ApiKey,
): boolean {
  if (outer === null) return true;
  return (
    inner !== null && inner <= outer && (inner === 0 || PERIOD_LENGTHS[innerPeriod] >= PERIOD_LENGTHS[outerPeriod])
  );
}

function forbidden(message: string): Error {
  return apiError('FORBIDDEN', {
    message,
    hint: 'Sign in with the wallet (SIGN-IN-WITH-X), or use an ADMIN key with wider bounds.',
  });
}
