import { describe, expect, it } from 'vitest';
import { describeSchema } from './schema-view';

const none = new Map();
const rulesOf = (schema: Record<string, unknown>) => describeSchema(schema, none).rules;
const typeOf = (schema: Record<string, unknown>) => describeSchema(schema, none).typeName;

describe('a schema is put into words', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }, 'string or integer or null'],
    [{ anyOf: [{ type: 'string' }, { type: 'string', minLength: 3 }] }, 'string'],
    [{ type: 'array', items: { type: 'string' } }, 'array of string'],
    [{ type: 'array', items: {} }, 'array'],
    [{ $ref: '#/components/schemas/RpcRequest' }, 'RpcRequest'],
    [{ type: 'array', items: { $ref: '#/components/schemas/RpcRequest' } }, 'array of RpcRequest'],
    [{ const: '2.0' }, 'string'],
    [{ const: null }, 'null'],
    [{}, 'any'],
    [{ type: 7, anyOf: 'x', items: 3 }, 'any'],
  ])('%j is %s', (schema, words) => expect(typeOf(schema)).toBe(words));

  it.each([
    [{ minLength: 1, maxLength: 255 }, '1 to 255 characters'],
    [{ minLength: 32, maxLength: 32 }, 'exactly 32 characters'],
    [{ minItems: 1 }, 'at least 1 item'],
    [{ maxItems: 100 }, 'at most 100 items'],
    [{ minimum: 0.25, maximum: 4 }, 'from 0.25 to 4'],
    [{ exclusiveMinimum: 0 }, 'over 0'],
    [{ enum: ['mp3', 'wav'] }, 'one of "mp3", "wav"'],
    [{ const: '2.0' }, 'always "2.0"'],
    [{ pattern: '^a$' }, 'matches ^a$'],
    [{ default: 1 }, 'default 1'],
    [{ additionalProperties: false }, 'no other members'],
  ])('%j has the rule %s', (schema, rule) => expect(rulesOf(schema)).toEqual([rule]));

  it('says nothing of bounds that every integer keeps', () =>
    expect(rulesOf({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })).toEqual(
      [],
    ));
});

describe('what a schema is made of', () => {
  it('are its members, the required ones marked, and those without a name', () => {
    const { parts } = describeSchema(
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: {} },
        required: ['a'],
        additionalProperties: { type: 'number' },
      },
      none,
    );
    expect(parts.map(({ name, required, isMember }) => [name, required, isMember])).toEqual([
      ['a', true, true],
      ['b', false, true],
      ['any other', false, false],
    ]);
  });

  it('are items and choices only where there is more to say than their type', () => {
    expect(describeSchema({ anyOf: [{ type: 'string' }, { type: 'null' }] }, none).parts).toEqual([]);
    expect(describeSchema({ type: 'array', items: { type: 'string' } }, none).parts).toEqual([]);
    expect(
      describeSchema({ anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] }, none).parts.map(
        ({ name }) => name,
      ),
    ).toEqual(['choice 1', 'choice 2']);
    expect(
      describeSchema({ type: 'array', items: { type: 'string', maxLength: 3 } }, none).parts.map(({ name }) => name),
    ).toEqual(['each item']);
  });

  it('is found through a reference, one level at a time, so that a schema may contain itself', () => {
    const tree = {
      type: 'object',
      description: 'A tree',
      properties: { child: { $ref: '#/components/schemas/Tree' } },
    };
    const schemas = new Map([['Tree', tree]]);
    const view = describeSchema({ $ref: '#/components/schemas/Tree' }, schemas);
    expect(view).toMatchObject({
      refName: 'Tree',
      typeName: 'Tree',
      description: 'A tree',
      parts: [{ name: 'child' }],
    });
    expect(describeSchema(view.parts[0]!.schema, schemas)).toEqual(view);
  });

  it('is nothing for a reference that leads nowhere', () =>
    expect(describeSchema({ $ref: '#/components/schemas/Gone' }, none)).toEqual({
      refName: 'Gone',
      typeName: 'Gone',
      description: '',
      rules: [],
      parts: [],
    }));
});
