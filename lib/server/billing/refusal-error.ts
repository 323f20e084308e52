import { type ApiError, apiError } from '@/lib/protocol/errors';
import { spokenUsd } from '@/lib/protocol/pricing';
import { rateLimitHeaders } from '../http/rate-limit/rate-limit-headers';
import type { Refusal } from './meter';
import { type AccountBalance, balancesUsd } from './usage/read-balance';

const PERIODS = { EPOCH: 'this day (UTC)', MONTH: 'this month (UTC)', LIFETIME: 'its lifetime' } as const;

/** Keys become free as they are 24 hours old, and are counted anew this often. */
const KEY_CAP_RETRY_MS = 15 * 60_000;

/**
 * The answer to a call that was not admitted.
 * @param costNanoUsd what the call can cost at most, named where money is missing.
 */
export function refusalError(refusal: Refusal, costNanoUsd: number, now: number): ApiError {
  switch (refusal.reason) {
    case 'minute-cap': {
      const customMessage = `Per-minute request cap: at most ${refusal.limit} requests a minute; the next minute starts in ${seconds(refusal.resetAt, now)} s.`;
      return apiError('MINUTE_CAP', { fields: { customMessage }, headers: rateLimitHeaders(refusal, now) });
    }
    case 'credit-cap': {
      const customMessage = `Rolling 24-hour credit cap: at most ${refusal.limit} credits in 24 hours, ${refusal.remaining} left; enough are free again in ${seconds(refusal.resetAt, now)} s.`;
      return apiError('CREDIT_CAP', { fields: { customMessage }, headers: rateLimitHeaders(refusal, now) });
    }
    case 'collision': {
      const customMessage =
        refusal.kind === 'idempotency-key'
          ? 'Concurrent call: the first request under this Idempotency-Key is still running.'
          : 'Concurrent call: other calls of this caller held its lock for too long.';
      const headers = rateLimitHeaders({ limit: 1, remaining: 0, resetAt: now + 1000 }, now);
      return apiError('CONCURRENT_CALL', { fields: { customMessage }, headers });
    }
    case 'key-reused': {
      const message = 'This Idempotency-Key was used with a different request.';
      return apiError('IDEMPOTENCY_KEY_REUSED', { message, details: { _errors: [message] } });
    }
    case 'answer-not-kept': {
      const message =
        'The call under this Idempotency-Key was made and charged, and answered once; its answer was too large to keep, so it cannot be repeated. Nothing was done or charged now.';
      return apiError('IDEMPOTENT_ANSWER_NOT_KEPT', { message, details: { _errors: [message] } });
    }
    case 'key-cap': {
      const customMessage = `Idempotency-Keys: at most ${refusal.limit} of one caller within 24 hours.`;
      return apiError('IDEMPOTENCY_KEYS_USED_UP', {
        fields: { customMessage },
        headers: rateLimitHeaders({ limit: refusal.limit, remaining: 0, resetAt: now + KEY_CAP_RETRY_MS }, now),
      });
    }
    case 'key-revoked':
      return apiError('API_KEY_REVOKED');
    case 'key-expired':
      return apiError('API_KEY_EXPIRED');
    case 'balance':
      return balanceError(refusal.spendableNanoUsd, costNanoUsd);
    case 'key-limit':
      return apiError(LIMIT_CODES[refusal.currency], {
        message: `This request would exceed the API key's own ${refusal.currency} spending limit for ${PERIODS[refusal.period]}.`,
        hint: limitCure(refusal),
      });
  }
}

const LIMIT_CODES = {
  usd: 'API_KEY_USD_SPEND_LIMIT_EXCEEDED',
  diem: 'API_KEY_DIEM_SPEND_LIMIT_EXCEEDED',
  prepaid: 'API_KEY_PREPAID_SPEND_LIMIT_EXCEEDED',
} as const;

/** A key never goes past its own limit into another pot, which its owner did not ask for: the sentence says what helps. */
function limitCure({ currency, period }: Extract<Refusal, { reason: 'key-limit' }>): string {
  const wait = { EPOCH: 'Wait until 00:00 UTC', MONTH: 'Wait for the next month (UTC)', LIFETIME: null }[period];
  const first = (other: string) =>
    wait === null ? `${other.charAt(0).toUpperCase()}${other.slice(1)}` : `${wait}, ${other}`;
  if (currency === 'prepaid')
    return `${first('have the wallet raise it with PATCH /api/v1/api_keys?id=')}, or sign in with the wallet.`;
  const what =
    currency === 'diem'
      ? 'without a diem limit; USD is not touched while some of the daily allocation is left'
      : 'with a higher USD limit';
  return `${first('use another key of the account')}, or mint one ${what}.`;
}

/** What the account of a key has by pot, and whether the key spends what its wallet prepaid too. */
export interface KeyBalance extends Pick<AccountBalance, 'pots'> {
  spendsPrepaid: boolean;
}

/**
 * 402 for an account that cannot pay. Where its wallet has prepaid what the key cannot spend, it says that a sign-in could,
 * and not how much there is.
 * @param costNanoUsd what was asked for; null where nothing could be afforded.
 * @param account null where its pots are not known.
 */
export function balanceError(
  spendableNanoUsd: number,
  costNanoUsd: number | null,
  account: KeyBalance | null = null,
): ApiError {
  const fields = {
    currentBalanceUsd: spendableNanoUsd / 1e9,
    ...(costNanoUsd === null ? {} : { minimumBalanceUsd: costNanoUsd / 1e9 }),
    ...(account && { balances: balancesUsd(account.pots) }),
    ...(account?.spendsPrepaid && { x402Usd: account.pots.x402 / 1e9 }),
  };
  const cost = costNanoUsd === null ? '' : `; this request can cost ${spokenUsd(costNanoUsd)} USD`;
  const message = `The account has ${spokenUsd(spendableNanoUsd)} USD to spend${cost}.`;
  if (account === null || account.spendsPrepaid || account.pots.x402 <= 0)
    return apiError('INSUFFICIENT_BALANCE', { message, fields });
  return apiError('INSUFFICIENT_BALANCE', {
    message: `${message} Its wallet has prepaid USDC, which this key cannot spend.`,
    hint: PREPAID_HINT,
    fields,
  });
}

const PREPAID_HINT =
  'To spend that, sign in with the wallet (SIGN-IN-WITH-X) instead of sending the key. Otherwise stake, or wait for the daily allocation at 00:00 UTC; daily-credit tokens that were just staked count within half a minute.';

function seconds(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000));
}

/** A call that was made before it was admitted, and then was not: nothing was charged, and its answer is withheld. */
export class ChargeRefused extends Error {
  override readonly name = 'ChargeRefused';

  constructor(readonly refusal: Refusal) {
    super(`A call was not admitted after it had been made: ${refusal.reason}.`);
  }
}
