import { expect, it } from 'vitest';
import { z } from 'zod';
import { compileSchema } from './schema-checker';

const strict = (properties: Record<string, unknown>, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

it('compiles formats that nothing is held to, and holds replies to the patterns beside them', () => {
  const fits = compileSchema(
    z.toJSONSchema(z.strictObject({ id: z.ulid(), net: z.cidrv4(), token: z.jwt(), data: z.base64(), n: z.int32() })),
  );
  expect(fits({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', net: '10.0.0.0/8', token: 'a.b.c', data: 'AAAA', n: 1 })).toBe(true);
  expect(fits({ id: 'no ulid', net: '10.0.0.0/8', token: 'a.b.c', data: 'AAAA', n: 1 })).toBe(false);
});

it('takes nullable for null beside a type, and for nothing elsewhere', () => {
  const fits = compileSchema(
    strict(
      { a: { type: 'string', nullable: true }, b: { $ref: '#/$defs/b', nullable: true } },
      { $defs: { b: { type: 'integer' } }, discriminator: { propertyName: 'a' } },
    ),
  );
  expect([fits({ a: null, b: 1 }), fits({ a: 'x', b: 1 }), fits({ a: 'x', b: null })]).toEqual([true, true, false]);
});

it('leaves values and properties of that name as they are', () => {
  const fits = compileSchema(strict({ nullable: { type: 'boolean' }, c: { const: { nullable: true } } }));
  expect([fits({ nullable: true, c: { nullable: true } }), fits({ nullable: true, c: {} })]).toEqual([true, false]);
});
