import { type ApiError, apiError } from '@/lib/protocol/errors';
import { spokenUsd } from '@/lib/protocol/pricing';
import { rateLimitHeaders } from '../http/rate-limit/minute-limiter';
import type { Refusal } from './meter';
import { type AccountBalance, balancesUsd } from './usage/read-balance';

const PERIODS = { EPOCH: 'this day (UTC)', MONTH: 'this month (UTC)', LIFETIME: 'the lifetime of the key' } as const;

/** Retry delay for a caller with too many idempotency keys. Expired keys are deleted at this interval. */
const KEY_CAP_RETRY_MS = 15 * 60_000;

/**
 * Builds the error for a call that was not admitted.
 * @param costNanoUsd maximum cost
 * @param named identifier of a repeated call, as named in the message
 */
export function refusalError(
  refusal: Refusal,
  costNanoUsd: number,
  now: number,
  named: 'Idempotency-Key' | 'payment' = 'Idempotency-Key',
): ApiError {
  switch (refusal.reason) {
    case 'minute-cap': {
      const customMessage = `Per-minute request cap: at most ${refusal.limit} requests a minute; the next minute starts in ${seconds(refusal.resetAt, now)} s.`;
      return apiError('MINUTE_CAP', { fields: { customMessage }, headers: rateLimitHeaders(refusal, now) });
    }
    case 'credit-cap': {
      const customMessage = `Rolling 24-hour credit cap: at most ${refusal.limit} credits in 24 hours, ${refusal.remaining} left; enough credits are free again in ${seconds(refusal.resetAt, now)} s.`;
      return apiError('CREDIT_CAP', { fields: { customMessage }, headers: rateLimitHeaders(refusal, now) });
    }
    case 'collision': {
      const customMessage =
        refusal.kind === 'idempotency-key'
          ? `Concurrent call: the first request with this ${named} is still running.`
          : 'Concurrent call: other calls of this caller held the per-caller lock for too long.';
      const headers = rateLimitHeaders({ limit: 1, remaining: 0, resetAt: now + 1000 }, now);
      return apiError('CONCURRENT_CALL', { fields: { customMessage }, headers });
    }
    case 'key-reused': {
      const message = 'This Idempotency-Key was used with a different request.';
      return apiError('IDEMPOTENCY_KEY_REUSED', { message, details: { _errors: [message] } });
    }
    case 'answer-not-kept': {
      const message = `The call with this ${named} was made, charged and answered once. Its answer was too large to store, so it cannot be sent again. This request was not charged.`;
      const hint = named === 'payment' ? { hint: PAY_AGAIN_HINT } : {};
      return apiError('IDEMPOTENT_ANSWER_NOT_KEPT', { message, ...hint, details: { _errors: [message] } });
    }
    case 'key-cap': {
      const customMessage = `Idempotency-Keys: one caller can use at most ${refusal.limit} within 24 hours.`;
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
        message: `This request would exceed the API key's ${refusal.currency} spending limit for ${PERIODS[refusal.period]}.`,
        hint: limitCure(refusal),
      });
  }
}

const PAY_AGAIN_HINT =
  'This request was neither forwarded nor charged. To make the call again and pay for it again, sign a new payment.';

const LIMIT_CODES = {
  usd: 'API_KEY_USD_SPEND_LIMIT_EXCEEDED',
  diem: 'API_KEY_DIEM_SPEND_LIMIT_EXCEEDED',
  prepaid: 'API_KEY_PREPAID_SPEND_LIMIT_EXCEEDED',
} as const;

/**
 * Returns advice for a key at its limit. Does not suggest another balance, because the key's owner has allowed no other
 * balance.
 */
function limitCure({ currency, period }: Extract<Refusal, { reason: 'key-limit' }>): string {
  const wait = { EPOCH: 'Wait until 00:00 UTC', MONTH: 'Wait for the next month (UTC)', LIFETIME: null }[period];
  const first = (other: string) =>
    wait === null ? `${other.charAt(0).toUpperCase()}${other.slice(1)}` : `${wait}, or ${other}`;
  if (currency === 'prepaid')
    return `${first('raise the limit with PATCH /api/v1/api_keys?id= and a wallet sign-in')}. Or send this request with a wallet sign-in instead of the key.`;
  const what =
    currency === 'diem'
      ? 'without a diem limit. USD is spent only when the daily allocation is used up'
      : 'with a higher USD limit';
  return `${first('use another key of the account')}, or mint one ${what}.`;
}

interface KeyBalance extends Pick<AccountBalance, 'pots'> {
  spendsPrepaid: boolean;
}

/**
 * Builds the 402 for an account that cannot pay. If the key cannot spend the wallet's prepaid balance, hides that
 * balance and suggests a sign-in.
 * @param costNanoUsd maximum cost of the call; null if unknown
 * @param account the account's balances; null if unknown
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
    message: `${message} The account's wallet has prepaid USDC, which this key cannot spend.`,
    hint: PREPAID_HINT,
    fields,
  });
}

const PREPAID_HINT =
  'To spend the prepaid USDC, sign in with the wallet (SIGN-IN-WITH-X) instead of sending the key. Or stake daily-credit tokens; they count within half a minute. Or wait for the daily allocation at 00:00 UTC.';

function seconds(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000));
}

/**
 * Thrown if a call ran before admission and its charge was then refused. Nothing was charged, and the answer is
 * withheld.
 */
export class ChargeRefused extends Error {
  override readonly name = 'ChargeRefused';

  constructor(readonly refusal: Refusal) {
    super(`A call was not admitted after it had been made: ${refusal.reason}.`);
  }
}
