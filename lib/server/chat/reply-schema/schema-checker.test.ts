import { describe, expect, it } from 'vitest';
import { strictSchemaFaults } from '@/lib/protocol/chat/strict-schema';
import { SchemaChecker } from './schema-checker';

const checker = new SchemaChecker();
const unusableSchema = (schema: object) => checker.schemaFault(JSON.stringify(schema), JSON.stringify(schema));
const replyFault = (reply: string, schema: object) =>
  checker.replyFault(JSON.stringify(schema), JSON.stringify(schema), reply);

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

describe('a reply', () => {
  it.each([
    ['{"a":"x"}', null],
    ['{"a":1}', '/a must be string'],
    ['{}', "the document must have required property 'a'"],
    ['{"a":"x","b":1}', 'the document must NOT have additional properties'],
    ['{"a":', 'it is not valid JSON'],
    ['```json\n{"a":"x"}\n```', 'it is not valid JSON'],
    ['', 'it is not valid JSON'],
  ])('%j: %j', (content, fault) => {
    expect(replyFault(content, object({ a: { type: 'string' } }))).toBe(fault);
  });

  it.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ])('is held to a schema of %s', ($schema) => {
    const schema = object({ at: { type: 'string', format: 'date-time' } }, { $schema, $id: 'https://example.com/one' });
    expect(replyFault('{"at":"2026-01-01T00:00:00Z"}', schema)).toBeNull();
    expect(replyFault('{"at":"tomorrow"}', schema)).toContain('/at');
    expect(
      replyFault('{"other":1}', object({ other: { type: 'number' } }, { $schema, $id: 'https://example.com/one' })),
    ).toBeNull();
  });

  it.each([
    ['missing', '{}', "the document must have required property 'constructor'"],
    ['there', '{"constructor":"x"}', null],
    ['of another type', '{"constructor":1}', '/constructor must be string'],
    [
      'there, with another that objects inherit',
      '{"constructor":"x","toString":"y"}',
      'the document must NOT have additional properties',
    ],
    [
      'there, with __proto__',
      '{"constructor":"x","__proto__":{"constructor":1}}',
      'the document must NOT have additional properties',
    ],
  ])('is told by what it has itself, not by what objects inherit: %s', (_, content, fault) => {
    expect(replyFault(content, object({ constructor: { type: 'string' } }))).toBe(fault);
    expect(({} as Record<string, unknown>)['constructor']).toBe(Object);
  });

  it.each([
    [0.07, 0.01, true],
    [0.075, 0.01, false],
    [1e15, 3, false],
    [9, 3, true],
    [1e300, 0.5, true],
  ])('%s is told to be a multiple of %s: %s', (value, multipleOf, fits) => {
    expect(replyFault(JSON.stringify({ a: value }), object({ a: { type: 'number', multipleOf } })) === null).toBe(fits);
  });

  it('is held to what depends on a member, and to dynamic references', () => {
    const dependent = object(
      { a: { type: ['string', 'null'] }, b: { type: 'string' } },
      { dependentRequired: { a: ['b'] } },
    );
    expect(strictSchemaFaults(dependent)).toBeNull();
    expect(replyFault('{"a":"x"}', { ...dependent, required: ['a'] })).toContain('must have property b');
    const list = object({ next: { anyOf: [{ $dynamicRef: '#node' }, { type: 'null' }] } }, { $dynamicAnchor: 'node' });
    expect([
      unusableSchema(list),
      replyFault('{"next":{"next":null}}', list),
      replyFault('{"next":{"next":1}}', list),
    ]).toEqual([null, null, expect.stringContaining('/next/next')]);
  });
});

describe('references within a schema', () => {
  const versions = [
    undefined,
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2020-12/schema',
  ];
  const tree = (to: object, more: object = {}) =>
    object({ name: { type: 'string' }, children: { type: 'array', items: to } }, more);
  const schemas = versions.flatMap(($schema): [string, Record<string, unknown>][] => {
    const named = { ...($schema && { $schema }), $id: 'https://example.com/tree' };
    return [
      [`# in ${$schema}`, tree({ $ref: '#' }, named)],
      [
        `#/$defs/node in ${$schema}`,
        { ...named, $ref: '#/$defs/node', $defs: { node: tree({ $ref: '#/$defs/node' }) } },
      ],
      [`an anchor in ${$schema}`, tree({ $ref: '#node' }, { ...named, $anchor: 'node' })],
      [
        `an anchor beside $defs in ${$schema}`,
        { ...tree({ $ref: '#node' }, { ...named, $anchor: 'node' }), $defs: { other: { type: 'string' } } },
      ],
      [
        `an anchor of a part in ${$schema}`,
        {
          ...named,
          ...object({ top: { $ref: '#node' } }),
          $defs: { part: tree({ $ref: '#node' }, { $anchor: 'node' }) },
        },
      ],
    ];
  });

  it.each(schemas)('are followed: %s', (_, schema) => {
    expect(strictSchemaFaults(schema)).toBeNull();
    expect(unusableSchema(schema)).toBeNull();
    const wrapped = (value: object) =>
      JSON.stringify(schema['properties'] && 'top' in (schema['properties'] as object) ? { top: value } : value);
    expect(replyFault(wrapped({ name: 'a', children: [{ name: 'b', children: [] }] }), schema)).toBeNull();
    expect(replyFault(wrapped({ name: 'a', children: [{ name: 1, children: [] }] }), schema)).toMatch(
      /children\/0\/name must be string/,
    );
  });

  it('are those of each schema alone, though several have one $id', () => {
    const [one, other] = [{ type: 'string' }, { type: 'number' }].map((a) => ({
      ...object({ a: { $ref: '#/$defs/a' } }),
      $id: 'https://example.com/x',
      $defs: { a },
    }));
    expect([replyFault('{"a":"x"}', one as object), replyFault('{"a":1}', other as object)]).toEqual([null, null]);
    expect(replyFault('{"a":1}', one as object)).toBe('/a must be string');
  });

  it('that cannot be compiled are told before anything is spent, in a sentence', () => {
    const twice = object({ a: { type: 'string', $anchor: 'x' }, b: { type: 'number', $anchor: 'x' } });
    expect(strictSchemaFaults(twice)).toBeNull();
    expect(unusableSchema(twice)).toMatch(/^Cannot be used to check a reply: .+/);
  });

  it('hold for replies nested deeper than they can be checked, which are no failure of the gateway', () => {
    const depth = 60_000;
    expect(
      replyFault(
        '{"a":'.repeat(depth) + 'null' + '}'.repeat(depth),
        object({ a: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }),
      ),
    ).toMatch(/nested too deeply|not valid JSON|too long/);
  });
});
