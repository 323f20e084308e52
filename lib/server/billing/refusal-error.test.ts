import { describe, expect, it } from 'vitest';
import { accountBalanceSchema } from '@/lib/protocol/error-bodies';
import { ERRORS } from '@/lib/protocol/errors';
import { errorReply } from '../http/error-reply';
import type { Refusal } from './meter';
import { balanceError, refusalError } from './refusal-error';

const NOW = 1_700_000_000_000;
const answer = (refusal: Refusal, cost = 14_000) => {
  const error = refusalError(refusal, cost, NOW);
  return { status: ERRORS[error.code].status, ...error, message: error.message };
};

describe('429: customMessage says which (spec, Errors), and X-RateLimit headers are set', () => {
  it.each([
    [
      { reason: 'minute-cap', limit: 100, remaining: 0, resetAt: NOW + 1_500 },
      'MINUTE_CAP',
      /per-minute request cap.*100.*2 s/i,
      {
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1700000002',
        'retry-after': '2',
      },
    ],
    [
      { reason: 'credit-cap', limit: 10_000_000, remaining: 12, resetAt: NOW + 60_000 },
      'CREDIT_CAP',
      /24-hour credit cap.*10000000.*12 left.*60 s/i,
      {
        'x-ratelimit-limit': '10000000',
        'x-ratelimit-remaining': '12',
        'x-ratelimit-reset': '1700000060',
        'retry-after': '60',
      },
    ],
    [
      { reason: 'collision', kind: 'idempotency-key' },
      'CONCURRENT_CALL',
      /concurrent.*Idempotency-Key/i,
      { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000001', 'retry-after': '1' },
    ],
    [
      { reason: 'collision', kind: 'admission-lock' },
      'CONCURRENT_CALL',
      /concurrent.*lock/i,
      { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000001', 'retry-after': '1' },
    ],
    [
      { reason: 'key-cap', limit: 5 },
      'IDEMPOTENCY_KEYS_USED_UP',
      /Idempotency-Keys.*5 within 24 hours/,
      {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1700000900',
        'retry-after': '900',
      },
    ],
  ] as const)('%o', (refusal, code, sentence, headers) => {
    const error = answer(refusal);
    expect(error).toMatchObject({ status: 429, code, headers });
    expect(error.fields?.customMessage).toMatch(sentence);
  });
});

describe('the other refusals', () => {
  it.each([
    [{ reason: 'key-revoked' }, 401, 'API_KEY_REVOKED'],
    [{ reason: 'key-expired' }, 401, 'API_KEY_EXPIRED'],
    [{ reason: 'key-limit', currency: 'usd', period: 'MONTH' }, 402, 'API_KEY_USD_SPEND_LIMIT_EXCEEDED'],
    [{ reason: 'key-limit', currency: 'diem', period: 'EPOCH' }, 402, 'API_KEY_DIEM_SPEND_LIMIT_EXCEEDED'],
    [{ reason: 'balance', spendableNanoUsd: 5 }, 402, 'INSUFFICIENT_BALANCE'],
  ] as const)('%o is %i %s, without rate-limit headers', (refusal, status, code) => {
    const error = answer(refusal);
    expect(error).toMatchObject({ status, code });
    expect(error.headers).toBeUndefined();
    expect(error.fields?.customMessage).toBeUndefined();
  });

  it('of a call that carries its payment name the payment, since there is no Idempotency-Key', () => {
    for (const refusal of [{ reason: 'answer-not-kept' }, { reason: 'collision', kind: 'idempotency-key' }] as const) {
      const text = String(errorReply(refusalError(refusal, 14_000, NOW, 'payment')).body);
      expect(text).toMatch(/payment/);
      expect(text).not.toContain('Idempotency-Key');
    }
  });

  it('a reused key is a DetailedError', () => {
    expect(answer({ reason: 'key-reused' })).toMatchObject({
      status: 400,
      code: 'IDEMPOTENCY_KEY_REUSED',
      details: { _errors: [expect.stringContaining('different request')] },
    });
  });

  it('missing money is named with what there is and what it can cost', () => {
    const error = answer({ reason: 'balance', spendableNanoUsd: 1_500 }, 14_000);
    expect(error.message).toBe('The account has 0.0000015 USD to spend; this request can cost 0.000014 USD.');
    expect(error.fields).toEqual({ currentBalanceUsd: 0.0000015, minimumBalanceUsd: 0.000014 });
    expect(balanceError(0, null).message).toBe('The account has 0.00 USD to spend.');
    expect(balanceError(0, null).fields).toEqual({ currentBalanceUsd: 0 });
  });
});

describe('the 402 of a key', () => {
  const pots = { diem: 1_000_000_000, bundled: 20, usd: 0, x402: 5_000_000_000 };
  const shown = (error: ReturnType<typeof balanceError>) =>
    JSON.parse(errorReply(error).body as string) as Record<string, unknown>;

  it("tells its account's balances as GET /billing/balance does, and of prepaid money only that a sign-in can spend it", () => {
    const body = shown(balanceError(7, 14_000, { pots, spendsPrepaid: false }));
    expect(body).toMatchObject({
      currentBalanceUsd: 0.000000007,
      balances: { diem: 1, bundledCredits: 0.00000002, usd: 0 },
    });
    expect(body).not.toHaveProperty('x402Usd');
    expect(body.error).toBe(
      `The account has 0.000000007 USD to spend; this request can cost 0.000014 USD. The account's wallet has prepaid USDC, which this key cannot spend. ${String(body.hint)}`,
    );
    expect(body.hint).toBe(
      'To spend the prepaid USDC, sign in with the wallet (SIGN-IN-WITH-X) instead of sending the key. Or stake daily-credit tokens; they count within half a minute. Or wait for the daily allocation at 00:00 UTC.',
    );
  });

  it('tells a key that may spend prepaid money how much there is, and advises no sign-in beside it', () => {
    const body = shown(balanceError(7, null, { pots, spendsPrepaid: true }));
    expect(body).toMatchObject({ x402Usd: 5, balances: { usd: 0 }, hint: ERRORS.INSUFFICIENT_BALANCE.hint });
    expect(body.error).not.toContain('cannot spend');
  });

  it.each([false, true])(
    'has the members that the OpenAPI document gives it, and no other (spends prepaid money: %s)',
    (spendsPrepaid) => {
      expect(
        accountBalanceSchema.strict().safeParse(shown(balanceError(7, 14_000, { pots, spendsPrepaid }))).error,
      ).toBeUndefined();
    },
  );

  it('says nothing of a wallet that has prepaid nothing', () => {
    expect(shown(balanceError(0, null, { pots: { ...pots, x402: 0 }, spendsPrepaid: false })).error).toBe(
      `The account has 0.00 USD to spend. ${ERRORS.INSUFFICIENT_BALANCE.hint}`,
    );
  });

  it.each([
    [
      'usd',
      'MONTH',
      'Wait for the next month (UTC), or use another key of the account, or mint one with a higher USD limit.',
    ],
    ['usd', 'LIFETIME', 'Use another key of the account, or mint one with a higher USD limit.'],
    [
      'diem',
      'EPOCH',
      'Wait until 00:00 UTC, or use another key of the account, or mint one without a diem limit. USD is spent only when the daily allocation is used up.',
    ],
    [
      'prepaid',
      'LIFETIME',
      'Raise the limit with PATCH /api/v1/api_keys?id= and a wallet sign-in. Or send this request with a wallet sign-in instead of the key.',
    ],
    [
      'prepaid',
      'EPOCH',
      'Wait until 00:00 UTC, or raise the limit with PATCH /api/v1/api_keys?id= and a wallet sign-in. Or send this request with a wallet sign-in instead of the key.',
    ],
  ] as const)('over its %s limit of %s says once what helps', (currency, period, cure) => {
    const { error, hint } = shown(refusalError({ reason: 'key-limit', currency, period }, 14_000, NOW));
    expect(hint).toBe(cure);
    expect(error).toMatch(
      new RegExp(`^This request would exceed the API key's ${currency} spending limit for [^.]+\\. `),
    );
    expect(String(error).endsWith(`. ${cure}`)).toBe(true);
  });
});
