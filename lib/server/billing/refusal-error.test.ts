import { describe, expect, it } from 'vitest';
import { ERRORS } from '@/lib/protocol/errors';
import type { Refusal } from './meter';
import { balanceError, refusalError } from './refusal-error';

const NOW = 1_700_000_000_000;
const answer = (refusal: Refusal, cost = 14_000) => {
  const error = refusalError(refusal, cost, NOW);
  return { status: ERRORS[error.code].status, ...error, message: error.message };
};

describe('429: customMessage says which (spec, Errors), and X-RateLimit headers are set', () => {
  it.each([
    [{ reason: 'minute-cap', limit: 100, remaining: 0, resetAt: NOW + 1_500 }, 'MINUTE_CAP', /per-minute request cap.*100.*2 s/i, { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000002', 'retry-after': '2' }],
    [{ reason: 'credit-cap', limit: 10_000_000, remaining: 12, resetAt: NOW + 60_000 }, 'CREDIT_CAP', /24-hour credit cap.*10000000.*12 left.*60 s/i, { 'x-ratelimit-limit': '10000000', 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '1700000060', 'retry-after': '60' }],
    [{ reason: 'collision', kind: 'idempotency-key' }, 'CONCURRENT_CALL', /concurrent.*Idempotency-Key/i, { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000001', 'retry-after': '1' }],
    [{ reason: 'collision', kind: 'admission-lock' }, 'CONCURRENT_CALL', /concurrent.*lock/i, { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000001', 'retry-after': '1' }],
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

  it('a reused key is a DetailedError', () => {
    expect(answer({ reason: 'key-reused' })).toMatchObject({ status: 400, code: 'IDEMPOTENCY_KEY_REUSED', details: { _errors: [expect.stringContaining('different request')] } });
  });

  it('missing money is named with what there is and what it can cost', () => {
    const error = answer({ reason: 'balance', spendableNanoUsd: 1_500 }, 14_000);
    expect(error.message).toBe('The account has 0.00000150 USD to spend; this request can cost 0.00001400 USD.');
    expect(error.fields).toEqual({ currentBalanceUsd: 0.0000015, minimumBalanceUsd: 0.000014 });
    expect(balanceError(0, null).message).toBe('The account has 0.00000000 USD to spend.');
    expect(balanceError(0, null).fields).toEqual({ currentBalanceUsd: 0 });
  });
});
