import { describe, expect, it } from 'vitest';
import { apiError, ERRORS, type ErrorCode, requestError } from '@/lib/protocol/errors';
import { detailedErrorSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { errorReply } from './error-reply';

const bodyOf = (error: ReturnType<typeof apiError>) =>
  JSON.parse(errorReply(error).body as string) as Record<string, unknown>;

describe('an error is answered', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('as a StandardError with its status: %s', (code) => {
    const reply = errorReply(apiError(code));
    expect(reply.status).toBe(ERRORS[code].status);
    expect(reply.headers['content-type']).toBe('application/json');
    const body = JSON.parse(reply.body as string) as unknown;
    const { error, ...others } = standardErrorSchema.strict().parse(body);
    expect(others).toEqual({ code, hint: ERRORS[code].hint, docs: `/reference#error-${code}` });
    expect([ERRORS[code].error, `${ERRORS[code].error} ${ERRORS[code].hint}`]).toContain(error);
  });

  it('as a DetailedError where it has details', () => {
    const body = bodyOf(requestError('INVALID_REQUEST', 'Wrong.'));
    expect(detailedErrorSchema.parse(body)).toMatchObject({ error: 'Wrong.', details: { _errors: ['Wrong.'] } });
  });

  it('with its further members and headers', () => {
    const error = apiError('MINUTE_CAP', { fields: { customMessage: 'Wait.' }, headers: { 'retry-after': '5' } });
    expect(bodyOf(error)).toMatchObject({ customMessage: 'Wait.', code: 'MINUTE_CAP' });
    expect(errorReply(error).headers).toEqual({ 'content-type': 'application/json', 'retry-after': '5' });
  });

  it('with what to do in its sentence, unless it is wrong itself: programs show nothing else', () => {
    expect(bodyOf(apiError('INVALID_API_KEY'))['error']).toBe(
      `${ERRORS.INVALID_API_KEY.error} ${ERRORS.INVALID_API_KEY.hint}`,
    );
    expect(bodyOf(requestError('INVALID_REQUEST', 'Wrong.'))['error']).toBe('Wrong.');
    expect(bodyOf(apiError('MODEL_UNAVAILABLE', { message: `Away. ${ERRORS.MODEL_UNAVAILABLE.hint}` }))['error']).toBe(
      `Away. ${ERRORS.MODEL_UNAVAILABLE.hint}`,
    );
  });

  it('with a status line of printable ASCII on one line, not too long, whatever the sentence holds', () => {
    expect(errorReply(apiError('INVALID_API_KEY')).reason).toBe(
      'Unauthorized: This API key does not exist. Check the key for missing characters, or create a new one.',
    );
    expect(
      errorReply(apiError('MODEL_NOT_FOUND', { message: 'There is no\r\nX-Evil: 1 \u2028 \u0000 “model”.' })).reason,
    ).toMatch(/^Not Found: There is no X-Evil: 1 model \. GET /);
    const long = errorReply(apiError('MODEL_NOT_FOUND', { message: 'x'.repeat(10_000) })).reason ?? '';
    expect([long.length, /^[\x20-\x7e]+$/.test(long)]).toEqual([251, true]);
    expect(
      errorReply(apiError('PAYMENT_REQUIRED', { fields: { message: 'The wallet has 0.00 USD prepaid.' } })).reason,
    ).toBe(`Payment Required: The wallet has 0.00 USD prepaid. ${ERRORS.PAYMENT_REQUIRED.hint}`);
  });

  it.each(['UNAUTHORIZED', 'INSUFFICIENT_BALANCE'] as const)('with how to authenticate: %s', (code) => {
    expect(errorReply(apiError(code)).headers['www-authenticate']).toBe('Bearer realm="Turnpike"');
  });

  it('never with headers that two answers share', () => {
    const error = apiError('MINUTE_CAP', { headers: { 'retry-after': '5' } });
    errorReply(error).headers['x-request-id'] = 'one';
    expect(errorReply(error).headers['x-request-id']).toBeUndefined();
  });
});
