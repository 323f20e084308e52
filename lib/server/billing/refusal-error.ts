import { type ApiError, apiError } from '@/lib/protocol/errors';
import { formatUsd } from '@/lib/protocol/pricing';
import type { Refusal } from './meter';
import { rateLimitHeaders } from '../http/rate-limit/rate-limit-headers';

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
      const message = 'The call under this Idempotency-Key was made and charged, and answered once; its answer was too large to keep, so it cannot be repeated. Nothing was done or charged now.';
      return apiError('IDEMPOTENT_ANSWER_NOT_KEPT', { message, details: { _errors: [message] } });
    }
    case 'key-cap': {
      const customMessage = `Idempotency-Keys: at most ${refusal.limit} of one caller within 24 hours.`;
      return apiError('IDEMPOTENCY_KEYS_USED_UP', { fields: { customMessage }, headers: rateLimitHeaders({ limit: refusal.limit, remaining: 0, resetAt: now + KEY_CAP_RETRY_MS }, now) });
    }
    case 'key-revoked':
      return apiError('API_KEY_REVOKED');
    case 'key-expired':
      return apiError('API_KEY_EXPIRED');
    case 'balance':
      return balanceError(refusal.spendableNanoUsd, costNanoUsd);
    case 'key-limit':
      return apiError(LIMIT_CODES[refusal.currency], {
        message: `This request would exceed the API key's own ${refusal.currency} spending limit for ${PERIODS[refusal.period]}. ${limitCure(refusal)}`,
      });
  }
}

const LIMIT_CODES = { usd: 'API_KEY_USD_SPEND_LIMIT_EXCEEDED', diem: 'API_KEY_DIEM_SPEND_LIMIT_EXCEEDED', prepaid: 'API_KEY_PREPAID_SPEND_LIMIT_EXCEEDED' } as const;

/** A key never goes past its own limit into another pot, which its owner did not ask for: the sentence says what helps. */
function limitCure({ currency, period }: Extract<Refusal, { reason: 'key-limit' }>): string {
  if (currency === 'prepaid') return 'Have the wallet let the key spend more of what it prepaid, or sign in with the wallet.';
  const next = { EPOCH: 'Wait until 00:00 UTC, or use', MONTH: 'Wait for the next month (UTC), or use', LIFETIME: 'Use' }[period];
  const what = currency === 'diem' ? 'without a diem limit; USD is not touched while some of the daily allocation is left' : 'with a higher USD limit';
  return `${next} another key of the account, or mint one ${what}.`;
}

/** 402 for an account that cannot pay. @param costNanoUsd what was asked for; null where nothing could be afforded. @param hasPrepaid whether the account's wallet has prepaid, which a key cannot spend. */
export function balanceError(spendableNanoUsd: number, costNanoUsd: number | null, hasPrepaid = false): ApiError {
  const fields = {
    currentBalanceUsd: spendableNanoUsd / 1e9,
    ...(costNanoUsd === null ? {} : { minimumBalanceUsd: costNanoUsd / 1e9 }),
  };
  const cost = costNanoUsd === null ? '' : `; this request can cost ${formatUsd(costNanoUsd, 8)} USD`;
  const prepaid = hasPrepaid ? ' The wallet of this account has prepaid USDC, which a key cannot spend: sign in with the wallet (SIGN-IN-WITH-X), or pay with the call.' : '';
  return apiError('INSUFFICIENT_BALANCE', { message: `The account has ${formatUsd(spendableNanoUsd, 8)} USD to spend${cost}.${prepaid}`, fields });
}

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
