import { isScopeWithin } from '@/lib/protocol/api-keys/key-scope';
import { apiError } from '@/lib/protocol/errors';
import { spokenUsd } from '@/lib/protocol/pricing';
import { type ApiKey, findApiKey, type KeyBudget } from '../db/api-keys';
import { askStore } from '../db/ask-store';
import type { LimitsTogether } from '../db/mint-api-key';
import type { Database, LimitPeriod } from '../db/schema';
import { findWalletAccount } from '../db/wallets';
import type { Call } from '../http/call';
import type { Auth } from './auth';

const PERIOD_LENGTHS: Readonly<Record<LimitPeriod, number>> = { EPOCH: 1, MONTH: 2, LIFETIME: 3 };

/**
 * Refuses a key that is not allowed to manage its account's keys.
 * @throws ApiError 401 for a revoked or expired key, 403 for an INFERENCE key
 */
export function requireKeyHolder(key: ApiKey | null, now: number): asserts key is ApiKey {
  if (!key) throw apiError('INVALID_API_KEY');
  if (key.revokedAt !== null) throw apiError('API_KEY_REVOKED');
  if (key.expiresAt !== null && key.expiresAt <= now) throw apiError('API_KEY_EXPIRED');
  if (key.type !== 'ADMIN')
    throw apiError('FORBIDDEN', {
      message: 'An INFERENCE key cannot list, change or revoke keys.',
      hint: "Send an ADMIN key of the account, or sign in with the account's wallet (SIGN-IN-WITH-X).",
    });
}

/**
 * Refuses a change that an ADMIN key is not allowed to make to a key. After the change, the key must be within the
 * limits and the scope of the ADMIN key. An ADMIN key cannot change itself.
 * @throws ApiError 403
 */
export function requireMayChange(by: ApiKey, key: ApiKey, change: Partial<KeyBudget>): void {
  if (by.id === key.id) throw forbidden('An ADMIN key cannot change its own bounds or alert.');
  const bound = boundBeyond({ ...key, ...change }, key, by);
  if (bound !== null)
    throw forbidden(`An ADMIN key cannot give another key more than it has itself. This change would give ${bound}.`);
}

type Bounded = Pick<
  ApiKey,
  'allow' | 'limitUsdNano' | 'limitDiemNano' | 'limitPrepaidNano' | 'limitPeriod' | 'expiresAt'
>;

/**
 * Refuses a new key with more rights than its ADMIN key. All keys that an ADMIN key made must together stay within that
 * ADMIN key's limits, so that additional keys do not raise the total. Keys that cannot spend in the current period do
 * not count.
 * @param made sum of the limits of the keys that the ADMIN key has made, in nano-USD
 * @throws ApiError 403
 */
export function requireMayMake(by: ApiKey, key: Bounded, made: LimitsTogether): void {
  const bound = boundBeyond(key, null, by);
  if (bound !== null)
    throw forbidden(`An ADMIN key cannot make a key that has more than it has itself. This key would have ${bound}.`);
  for (const limit of ['limitUsdNano', 'limitDiemNano'] as const) {
    const own = by[limit];
    const together = made[limit] + (key[limit] ?? 0);
    if (own !== null && together > own)
      throw forbidden(
        `Together, the keys that this ADMIN key made could spend ${spokenUsd(together)} USD in a period, more than its own limit of ${spokenUsd(own)} USD.`,
      );
  }
}

/**
 * Returns a right that the changed key would have but the acting key `by` lacks; null if there is none.
 * @param before the key before the change; null for a new key
 */
function boundBeyond(after: Bounded, before: Bounded | null, by: ApiKey): string | null {
  if (!isScopeWithin(after.allow, by.allow)) return 'a wider "allow"';
  if (!isLimitWithin(after.limitUsdNano, by.limitUsdNano, after, by)) return 'a higher USD limit';
  if (!isLimitWithin(after.limitDiemNano, by.limitDiemNano, after, by))
    return 'a higher limit for the daily allocation';
  if (by.expiresAt !== null && (after.expiresAt === null || after.expiresAt > by.expiresAt)) return 'a later expiry';
  // An ADMIN key that cannot spend the prepaid balance may manage a key that can, but cannot widen that key's scope.
  const isWider = before === null || !isScopeWithin(after.allow, before.allow);
  if (
    isWider &&
    after.limitPrepaidNano !== null &&
    !isLimitWithin(after.limitPrepaidNano, by.limitPrepaidNano ?? 0, after, by)
  )
    return 'a prepaid limit with a wider "allow"';
  return null;
}

/** Null means no limit. */
function isLimitWithin(
  inner: number | null,
  outer: number | null,
  { limitPeriod: innerPeriod }: Bounded,
  { limitPeriod: outerPeriod }: Bounded,
): boolean {
  if (outer === null) return true;
  return (
    inner !== null && inner <= outer && (inner === 0 || PERIOD_LENGTHS[innerPeriod] >= PERIOD_LENGTHS[outerPeriod])
  );
}

function forbidden(message: string): Error {
  return apiError('FORBIDDEN', {
    message,
    hint: 'Sign in with the wallet (SIGN-IN-WITH-X), or use another ADMIN key with wider bounds.',
  });
}

/** Wallet or ADMIN key that manages keys. */
export interface KeyHolder {
  /** Null for a wallet without an account. */
  accountId: number | null;
  /** The ADMIN key that sent the request; null if the wallet itself signed in. */
  apiKeyId: number | null;
}

/**
 * Returns the wallet or ADMIN key that sent the call. Reads an ADMIN key from the database, so that a revoked key
 * cannot manage others.
 * @throws ApiError 401 without a valid credential, 403 for an INFERENCE key, 429 above the rate limit
 */
export async function keyHolderOf(
  call: Call,
  { auth, db, now }: { auth: Auth; db: Database; now: () => number },
): Promise<KeyHolder> {
  const { apiKeyId, wallet } = await auth.identifyReader(call);
  if (wallet !== null) return { accountId: await askStore(() => findWalletAccount(db, wallet)), apiKeyId: null };
  const key = apiKeyId === null ? null : await askStore(() => findApiKey(db, apiKeyId));
  requireKeyHolder(key, now());
  return { accountId: key.accountId, apiKeyId: key.id };
}
