import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isApiError } from '@/lib/protocol/errors';
import { speechRequestSchema } from '@/lib/protocol/speech/speech-request';
import { videoCompleteSchema, videoQueueSchema } from '@/lib/protocol/video/video-requests';
import { fieldError, validated, validationError } from './validation-error';

const schema = z.strictObject({
  a: z.string(),
  b: z.strictObject({ c: z.number().max(3) }).optional(),
  list: z.array(z.number()).optional(),
});

function errorOf(value: unknown) {
  try {
    validated(schema, value, 'The request body');
  } catch (error) {
    if (isApiError(error)) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('an error of validation', () => {
  it('names each invalid field in a tree that has _errors at each level', () => {
    const { details, message, code } = errorOf({ a: 1, b: { c: 'x' }, list: [1, 'y'] });
    const text = ['Must be a number, not a string.'];
    expect(details).toEqual({
      _errors: [],
      a: { _errors: ['Must be a string, not a number.'] },
      b: { _errors: [], c: { _errors: text } },
      list: { _errors: [], 1: { _errors: text } },
    });
    expect(code).toBe('INVALID_REQUEST');
    expect(message).toMatch(/^The field "a" is not valid: .+\. 2 more faults are in "details"\.$/);
  });

  it('says of the whole what is wrong with the whole', () => {
    expect(errorOf(null)).toMatchObject({
      message: expect.stringMatching(/^The request body is not valid: .+\.$/),
      details: { _errors: [expect.any(String)] },
    });
  });

  it('names unknown fields, however many and however they are called, in one line', () => {
    const { message, details } = errorOf({
      a: 'x',
      'new\nline': 1,
      __proto__: null,
      ...Object.fromEntries(Array.from({ length: 50 }, (_none, index) => [`field${index}`, 1])),
    });
    expect(message).toMatch(/^The request body is not valid: There is no field "new\\nline".*\.$/);
    expect(message.length).toBeLessThan(500);
    expect(details?._errors).toHaveLength(1);
  });

  it('is not led into the prototype by the name of a field', () => {
    const open = z.record(z.string(), z.number());
    const verdict = open.safeParse(JSON.parse('{"constructor": "x", "toString": "y"}'));
    const { details } = validationError(verdict.error as z.ZodError, 'The request body');
    expect(Object.keys(details ?? {}).sort()).toEqual(['_errors', 'constructor', 'toString']);
  });

  it('keeps the messages of a level if a field is called _errors', () => {
    const biases = z.record(z.string(), z.number()).refine(() => false, { error: 'Is odd', when: () => true });
    const verdict = z.object({ biases }).safeParse({ biases: { _errors: 'x' } });
    const { details } = validationError(verdict.error as z.ZodError, 'The request body');
    expect(details).toMatchObject({ biases: { _errors: ['Is odd.'], '_errors ': { _errors: [expect.any(String)] } } });
  });

  it.each([
    [videoCompleteSchema, { model: 'm' }, 'queue_id', 'It is missing and must be a string'],
    [videoCompleteSchema, { model: 'm', queue_id: 5 }, 'queue_id', 'Must be a string, not a number'],
    [videoCompleteSchema, { model: 'm', queue_id: 'x' }, 'queue_id', 'Must be a UUID'],
    [
      speechRequestSchema,
      { input: 'x', prompt: 'p'.repeat(501) },
      'prompt',
      'Must have at most 500 characters, not 501',
    ],
    [speechRequestSchema, { input: '' }, 'input', 'Must have 1 to 4096 characters, not 0'],
    [
      videoQueueSchema,
      { model: 'm', prompt: 'x', negative_prompt: 'x'.repeat(2_501) },
      'negative_prompt',
      'Must have at most 2500 characters',
    ],
  ])('says what is wrong with a field of %#, and not another thing', (of, value, field, fault) => {
    expect(() => validated(of as z.ZodType, value, 'The request body')).toThrow(
      `The field "${field}" is not valid: ${fault}.`,
    );
  });

  it('can be about one field that a schema knows nothing about', () => {
    expect(fieldError('expiresAt', 'It is in the past')).toMatchObject({
      message: 'The field "expiresAt" is not valid: It is in the past.',
      details: { _errors: [], expiresAt: { _errors: ['It is in the past.'] } },
    });
  });
});
