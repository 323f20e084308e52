import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plainFault } from './validation-error';

const fault = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: plainFault }).error?.issues[0]?.message;

describe('a fault in plain words', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'It is missing and must be a string'],
    [z.array(z.string()), 'x', 'Must be an array, not a string'],
    [z.object({}), [], 'Must be an object, not an array'],
    [z.looseObject({}), null, 'Must be an object, not null'],
    [z.record(z.string(), z.unknown()), 7, 'Must be an object, not a number'],
    [z.boolean(), 'yes', 'Must be true or false, not a string'],
    [z.string(), true, 'Must be a string, not true'],
    [z.number().int(), 1.5, 'Must be an integer'],
    [z.coerce.number(), 'abc', 'Must be a number'],
    [z.string().min(1), '', 'Must have at least 1 character'],
    [z.string().max(3), 'xxxx', 'Must have at most 3 characters'],
    [z.array(z.string()).min(1), [], 'Must have at least 1 item'],
    [z.array(z.string()).max(2), ['', '', ''], 'Must have at most 2 items'],
    [z.number().min(1), 0, 'Must be at least 1'],
    [z.number().gt(1), 1, 'Must be more than 1'],
    [z.number().max(4), 5, 'Must be at most 4'],
    [z.number().multipleOf(5), 3, 'Must be a multiple of 5'],
    [z.literal('2.0'), '1.0', 'Must be "2.0"'],
    [z.enum(['mp3', 'wav']), 'ogg', 'Must be "mp3" or "wav"'],
    [
      z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })]),
      { type: 'c' },
      'Must be "a" or "b"',
    ],
    [z.uuid(), 'x', 'Must be a UUID'],
    [z.literal(true, 'Must be true, really'), false, 'Must be true, really'],
  ])('%#', (schema, value, expected) => expect(fault(schema, value)).toBe(expected));

  it('never repeats what was sent', () => {
    for (const schema of [z.number(), z.enum(['a']), z.uuid(), z.array(z.string())])
      expect(fault(schema, 'sk-secret')).not.toContain('secret');
  });
});
