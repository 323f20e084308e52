import { describe, expect, it } from 'vitest';
import { apiError, ERRORS, type ErrorCode, requestError } from '@/lib/protocol/errors';
import { detailedErrorSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { errorReply } from './error-reply';

const bodyOf = (error: ReturnType<typeof apiError>) => JSON.parse(errorReply(error).body as string) as Record<string, unknown>;

describe('an error is answered', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('as a StandardError with its status: %s', (code) => {
    const reply = errorReply(apiError(code));
    expect(reply.status).toBe(ERRORS[code].status);
    expect(reply.headers['content-type']).toBe('application/json');
    const body = JSON.parse(reply.body as string) as unknown;
    expect(standardErrorSchema.strict().parse(body)).toEqual({ error: ERRORS[code].error, code, hint: ERRORS[code].hint });
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

  it('never with headers that two answers share', () => {
    const error = apiError('MINUTE_CAP', { headers: { 'retry-after': '5' } });
    errorReply(error).headers['x-request-id'] = 'one';
    expect(errorReply(error).headers['x-request-id']).toBeUndefined();
  });
});
