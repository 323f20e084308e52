import { describe, expect, it } from 'vitest';
import { ApiError, apiError, ERRORS, type ErrorCode, isApiError, requestError } from './errors';

const entries = Object.entries(ERRORS) as [ErrorCode, { status: number; error: string; hint: string }][];

describe('the table of errors', () => {
  it.each(entries)(
    '%s has an upper-snake code, a client or server status, a sentence and a cure',
    (code, { status, error, hint }) => {
      expect(code).toMatch(/^[A-Z0-9]+(_[A-Z0-9]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      // x402 clients look for this code in `error`. The sentence is in `message`.
      expect(error).toMatch(code === 'X402_INVALID_PAYMENT' ? /^X402_INVALID_PAYMENT$/ : /^[A-Z].*[.d]$/);
      expect(hint).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('promises the statuses of the specification', () => {
    const status = (code: ErrorCode) => ERRORS[code].status;
    expect(
      [
        'UNSUPPORTED_NETWORK',
        'EMPTY_BODY',
        'BATCH_TOO_LARGE',
        'UNSUPPORTED_METHOD',
        'CROSS_FAMILY_METHOD',
        'IDEMPOTENCY_KEY_REUSED',
      ].map((code) => status(code as ErrorCode)),
    ).toEqual(Array(6).fill(400));
    expect([
      status('INVALID_API_KEY'),
      status('API_KEY_REVOKED'),
      status('API_KEY_EXPIRED'),
      status('INSUFFICIENT_BALANCE'),
      status('PAYMENT_REQUIRED'),
    ]).toEqual([401, 401, 401, 402, 402]);
    expect([
      status('MINUTE_CAP'),
      status('CREDIT_CAP'),
      status('CONCURRENT_CALL'),
      status('UPSTREAM_FAILED'),
      status('UPSTREAM_NOT_CONFIGURED'),
    ]).toEqual([429, 429, 429, 500, 500]);
  });
});

describe('errors that are answers', () => {
  it('take the sentence of the table unless they have their own', () => {
    expect(apiError('NOT_FOUND').message).toBe(ERRORS.NOT_FOUND.error);
    expect(apiError('NOT_FOUND', { message: 'Gone.' }).message).toBe('Gone.');
    expect(requestError('EMPTY_BODY').details).toEqual({ _errors: [ERRORS.EMPTY_BODY.error] });
  });

  it('are known by their brand, whichever bundle made them, and nothing else is', () => {
    expect(isApiError(new ApiError('INTERNAL', 'x'))).toBe(true);
    expect(isApiError({ brand: 'gateway.ApiError' })).toBe(true);
    for (const other of [new Error('x'), null, undefined, 'gateway.ApiError', {}, { brand: 'other' }])
      expect(isApiError(other)).toBe(false);
  });
});
