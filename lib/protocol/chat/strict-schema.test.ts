import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { strictSchemaFaults } from './strict-schema';

const strict = (properties: Record<string, unknown>, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

describe('a strict schema passes', () => {
  it.each<[string, unknown]>([
    [
      'with nested objects and arrays',
      strict({ a: { type: 'array', items: strict({ b: { type: ['string', 'null'] } }) } }),
    ],
    ['without properties', strict({})],
    [
      'with definitions it refers to, also in a circle through a member',
      strict(
        { node: { $ref: '#/$defs/node' } },
        { $defs: { node: strict({ next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }) } },
      ),
    ],
    ['that refers to its own top through a member', strict({ children: { type: 'array', items: { $ref: '#' } } })],
    [
      'of draft-07, with definitions and tuples',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        ...strict(
          { p: { type: 'array', items: [{ type: 'number' }, { $ref: '#/definitions/s' }], additionalItems: false } },
          { definitions: { s: { type: 'string', format: 'uuid' } } },
        ),
      },
    ],
    ['with an anchor', strict({ a: { $ref: '#name' } }, { $defs: { x: { $anchor: 'name', type: 'string' } } })],
    [
      'with escaped pointers',
      strict({ a: { $ref: '#/$defs/x~1y~0%20z' } }, { $defs: { 'x/y~ z': { type: 'string' } } }),
    ],
    [
      'with conditions, which need say no type',
      strict(
        { a: { type: 'string' } },
        { if: { properties: { a: { const: 'x' } } }, then: { maxProperties: 1 }, not: { required: ['b'] } },
      ),
    ],
    [
      'whose properties are called as keywords or as members of objects are',
      strict({
        type: { type: 'string' },
        required: { type: 'string' },
        constructor: { type: 'string' },
        _errors: { type: 'string' },
      }),
    ],
    [
      'with properties whose names objects inherit',
      strict({
        constructor: { type: 'string' },
        prototype: { type: 'string' },
        hasOwnProperty: { type: 'string' },
        toString: { type: 'string' },
      }),
    ],
    [
      'with distinct items of a scalar type, or few of any',
      strict({
        a: { type: 'array', items: { type: ['string', 'null'] }, uniqueItems: true },
        b: { type: 'array', items: strict({}), uniqueItems: true, maxItems: 1_000 },
      }),
    ],
    [
      'with large bounds that a reply can keep to',
      strict({ a: { type: 'string', maxLength: 1e9 }, b: { type: 'number', maximum: 1e308, multipleOf: 0.01 } }),
    ],
    [
      'with dependents that are properties',
      strict({ a: { type: 'string' }, b: { type: 'string' } }, { dependentRequired: { a: ['b'] } }),
    ],
    [
      'with a dynamic reference',
      strict({ next: { anyOf: [{ $dynamicRef: '#node' }, { type: 'null' }] } }, { $dynamicAnchor: 'node' }),
    ],
    [
      'with a member of its own kind that may be null, by a type, an anyOf, a oneOf or an anchor',
      strict(
        {
          a: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
          b: { oneOf: [{ type: 'null' }, { $ref: '#top' }] },
          c: { $ref: '#/$defs/c' },
        },
        {
          $anchor: 'top',
          $defs: {
            c: {
              type: ['object', 'null'],
              properties: { c: { $ref: '#/$defs/c' } },
              required: ['c'],
              additionalProperties: false,
            },
          },
        },
      ),
    ],
    [
      'with an alternative that leads nowhere beside one that does',
      strict({ a: { anyOf: [{ $ref: '#' }, strict({ a: { $ref: '#' } }), { type: 'string' }] } }),
    ],
    [
      'with items of its own kind in a list that may be empty, or of which the first are not',
      strict({
        a: { type: 'array', items: { $ref: '#' } },
        b: { type: 'array', prefixItems: [{ type: 'string' }], items: { $ref: '#' }, minItems: 1 },
        c: { type: 'array', items: { type: 'string' }, contains: { $ref: '#' }, minContains: 0 },
      }),
    ],
    [
      'as zod writes it',
      z.toJSONSchema(
        z.strictObject({
          email: z.email(),
          at: z.iso.datetime(),
          tags: z.array(z.enum(['a', 'b'])).max(5),
          parent: z.strictObject({ id: z.uuid() }).nullable(),
        }),
      ),
    ],
    [
      'with the formats that zod 4 writes',
      z.toJSONSchema(
        z.strictObject({
          a: z.base64(),
          b: z.base64url(),
          c: z.jwt(),
          d: z.cidrv4(),
          e: z.cidrv6(),
          f: z.ulid(),
          g: z.cuid2(),
          h: z.nanoid(),
          i: z.emoji(),
          j: z.e164(),
          k: z.cuid(),
          l: z.xid(),
          m: z.ksuid(),
          n: z.url(),
          o: z.guid(),
          p: z.uuidv4(),
          q: z.int32(),
          r: z.float64(),
          s: z.iso.duration(),
          t: z.ipv6(),
          u: z.email(),
        }),
      ),
    ],
    [
      "with OpenAPI's discriminator and nullable",
      {
        anyOf: [
          strict({ kind: { const: 'a' }, x: { type: 'string', nullable: true } }),
          strict({ kind: { const: 'b' }, y: { $ref: '#/$defs/y', nullable: true } }),
        ],
        discriminator: { propertyName: 'kind' },
        $defs: { y: { type: 'integer', format: 'int64' } },
      },
    ],
  ])('%s', (_what, schema) => expect(strictSchemaFaults(schema)).toBeNull());
});

describe('each fault is named by its path', () => {
  it.each<[string, unknown, string[]]>([
    ['no schema at all', 'x', []],
    ['true, which lets anything pass', true, []],
    ['a schema without a type', {}, []],
    ['a property that is not required', strict({ a: { type: 'string' } }, { required: [] }), ['required']],
    [
      'no required at all',
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      ['required'],
    ],
    ['required naming no property', strict({}, { required: ['b'] }), ['required']],
    ['required that is no list', strict({}, { required: 'a' }), ['required']],
    ['an open object', { type: 'object', properties: {}, required: [] }, ['additionalProperties']],
    [
      'an object that takes others by a schema',
      strict({}, { additionalProperties: { type: 'string' } }),
      ['additionalProperties'],
    ],
    [
      'an open object within an array',
      strict({ a: { type: 'array', items: { type: 'object', properties: {} } } }),
      ['properties', 'a', 'items', 'additionalProperties'],
    ],
    [
      'an open object where null is allowed too',
      strict({ a: { type: ['object', 'null'] } }),
      ['properties', 'a', 'additionalProperties'],
    ],
    [
      'an open object told by its properties alone',
      strict({ a: { properties: {} } }),
      ['properties', 'a', 'additionalProperties'],
    ],
    [
      'an open object among alternatives',
      strict({ a: { anyOf: [{ type: 'null' }, { type: 'object' }] } }),
      ['properties', 'a', 'anyOf', '1', 'additionalProperties'],
    ],
    [
      'an open object in what is referred to',
      strict({ a: { $ref: '#/$defs/o' } }, { $defs: { o: { type: 'object' } } }),
      ['$defs', 'o', 'additionalProperties'],
    ],
    ['a property that lets anything pass', strict({ a: {} }), ['properties', 'a']],
    ['a keyword misspelt', strict({ a: { type: 'string', maxLenght: 3 } }), ['properties', 'a', 'maxLenght']],
    ['a keyword that objects inherit', strict({ a: { type: 'string', toString: 3 } }), ['properties', 'a', 'toString']],
    [
      'a property called __proto__',
      strict(JSON.parse('{"__proto__": {"type": "string"}}') as Record<string, unknown>),
      ['properties', '__proto__'],
    ],
    [
      'a definition called __proto__',
      strict({}, { $defs: JSON.parse('{"__proto__": {"type": "string"}}') as object }),
      ['$defs', '__proto__'],
    ],
    [
      'a keyword called __proto__',
      JSON.parse(
        '{"type": "object", "properties": {}, "required": [], "additionalProperties": false, "__proto__": {"type": "string"}}',
      ),
      ['__proto__'],
    ],
    [
      'a value to equal with a member called __proto__',
      strict({ a: { const: JSON.parse('{"__proto__": 1}') as object } }),
      ['properties', 'a', 'const', '__proto__'],
    ],
    [
      'dependents that are no object',
      strict({ a: { type: 'string' } }, { dependentRequired: ['a'] }),
      ['dependentRequired'],
    ],
    [
      'dependents that are no names',
      strict({ a: { type: 'string' } }, { dependentRequired: { a: 'a' } }),
      ['dependentRequired'],
    ],
    [
      'a dependent that is no property',
      strict({ a: { type: 'string' } }, { dependentRequired: { a: ['b'] } }),
      ['dependentRequired', 'a'],
    ],
    [
      'a dependent of draft-07 that is no property',
      strict({ a: { type: 'string' } }, { dependencies: { a: ['b'] } }),
      ['dependencies', 'a'],
    ],
    [
      'dependents of draft-07 that are no names',
      strict({ a: { type: 'string' } }, { dependencies: { a: [1] } }),
      ['dependencies'],
    ],
    ['an anchor that is no name', strict({ a: { type: 'string', $anchor: {} } }), ['properties', 'a', '$anchor']],
    [
      'an anchor with a fragment in it',
      strict({ a: { type: 'string', $dynamicAnchor: '#a' } }),
      ['properties', 'a', '$dynamicAnchor'],
    ],
    [
      'a divisor so small that it divides nothing',
      strict({ a: { type: 'number', multipleOf: 1e-300 } }),
      ['properties', 'a', 'multipleOf'],
    ],
    ['a divisor of zero', strict({ a: { type: 'number', multipleOf: 0 } }), ['properties', 'a', 'multipleOf']],
    [
      'a number that floating point cannot represent',
      strict({ a: { type: 'number', maximum: Infinity } }),
      ['properties', 'a', 'maximum'],
    ],
    [
      'a text longer than any reply',
      strict({ a: { type: 'string', minLength: 1e9 } }),
      ['properties', 'a', 'minLength'],
    ],
    [
      'a list longer than any reply',
      strict({ a: { type: 'array', items: { type: 'null' }, minItems: 1e6 } }),
      ['properties', 'a', 'minItems'],
    ],
    [
      'more at least than at most',
      strict({ a: { type: 'string', minLength: 5, maxLength: 4 } }),
      ['properties', 'a', 'minLength'],
    ],
    [
      'a range with nothing in it',
      strict({ a: { type: 'number', minimum: 5, exclusiveMaximum: 5 } }),
      ['properties', 'a', 'minimum'],
    ],
    [
      'objects compared with one another without a bound',
      strict({ a: { type: 'array', items: strict({}), uniqueItems: true } }),
      ['properties', 'a', 'uniqueItems'],
    ],
    [
      'items of any kind compared with one another',
      strict(
        { a: { type: 'array', items: { $ref: '#/$defs/x' }, uniqueItems: true } },
        { $defs: { x: { type: 'string' } } },
      ),
      ['properties', 'a', 'uniqueItems'],
    ],
    [
      'a description that is no text',
      strict({ a: { type: 'string', description: {} } }),
      ['properties', 'a', 'description'],
    ],
    ['a reference elsewhere', strict({ a: { $ref: 'https://example.com/schema.json' } }), ['properties', 'a', '$ref']],
    ['a reference to a file', strict({ a: { $ref: 'other.json#/a' } }), ['properties', 'a', '$ref']],
    ['a reference to nothing', strict({ a: { $ref: '#/$defs/none' } }), ['properties', 'a', '$ref']],
    ['a reference to what objects inherit', strict({ a: { $ref: '#/constructor' } }), ['properties', 'a', '$ref']],
    ['a reference that is no string', strict({ a: { $ref: 5 } }), ['properties', 'a', '$ref']],
    ['a reference badly escaped', strict({ a: { $ref: '#/%E0%A4%A' } }), ['properties', 'a', '$ref']],
    ['an unknown format', strict({ a: { type: 'string', format: 'zip-code' } }), ['properties', 'a', 'format']],
    ['an unknown type', strict({ a: { type: 'text' } }), ['properties', 'a', 'type']],
    ['no type in a list of types', strict({ a: { type: [] } }), ['properties', 'a', 'type']],
    ['an invalid pattern', strict({ a: { type: 'string', pattern: '(' } }), ['properties', 'a', 'pattern']],
    ['a version that is not known', { $schema: 'http://json-schema.org/draft-04/schema#', ...strict({}) }, ['$schema']],
    [
      'a base of its own within',
      strict({ a: { $id: 'https://example.com/', type: 'string' } }),
      ['properties', 'a', '$id'],
    ],
    ['properties that are a list', strict({}, { properties: [] }), ['properties']],
    ['alternatives without any', strict({ a: { anyOf: [] } }), ['properties', 'a', 'anyOf']],
    ['a bound that is no number', strict({ a: { type: 'string', maxLength: '5' } }), ['properties', 'a', 'maxLength']],
    [
      'a negative bound',
      strict({ a: { type: 'array', items: { type: 'null' }, minItems: -1 } }),
      ['properties', 'a', 'minItems'],
    ],
  ])('%s', (_what, schema, path) => {
    let level: unknown = strictSchemaFaults(schema);
    for (const step of path) level = (level as Record<string, unknown> | null)?.[step];
    expect((level as { _errors?: string[] } | undefined)?._errors?.[0]).toMatch(/\.$/);
  });

  it('all of them at once', () => {
    const faults = strictSchemaFaults(strict({ a: { type: 'object' }, b: { type: 'x' } }, { required: ['a'] }));
    expect(faults).toMatchObject({
      required: { _errors: [/b/] },
      properties: { a: { additionalProperties: { _errors: [/false/] } }, b: { type: { _errors: [/null, boolean/] } } },
    });
  });
});

describe('a schema whose every value holds another one of it is refused by the path of what leads back', () => {
  const listed = (schema: object) => strict({ list: schema });
  it.each<[string, unknown, string[]]>([
    ['a member of its own kind', strict({ a: { type: 'string' }, next: { $ref: '#' } }), ['properties', 'next']],
    ['by an anchor', strict({ next: { $ref: '#top' } }, { $anchor: 'top' }), ['properties', 'next']],
    [
      'by a dynamic reference',
      strict({ next: { $dynamicRef: '#top' } }, { $dynamicAnchor: 'top' }),
      ['properties', 'next'],
    ],
    [
      'by two that need each other',
      strict(
        { a: { $ref: '#/$defs/a' } },
        { $defs: { a: strict({ b: { $ref: '#/$defs/b' } }), b: strict({ a: { $ref: '#/$defs/a' } }) } },
      ),
      ['$defs', 'b', 'properties', 'a'],
    ],
    [
      'in all alternatives',
      strict({ next: { anyOf: [{ $ref: '#' }, strict({ x: { $ref: '#' } })] } }),
      ['properties', 'next', 'anyOf', '0'],
    ],
    [
      'in one of all that must hold',
      strict({
        next: {
          allOf: [
            { type: ['object', 'null'], properties: {}, required: [], additionalProperties: false },
            { $ref: '#' },
          ],
        },
      }),
      ['properties', 'next', 'allOf', '1'],
    ],
    [
      'as an item that there must be',
      listed({ type: 'array', items: { $ref: '#' }, minItems: 1 }),
      ['properties', 'list', 'items'],
    ],
    [
      'as one of the first items',
      listed({ type: 'array', prefixItems: [{ type: 'string' }, { $ref: '#' }], minItems: 2 }),
      ['properties', 'list', 'prefixItems', '1'],
    ],
    [
      'as an item that the list must contain',
      listed({ type: 'array', items: { anyOf: [{ $ref: '#' }, { type: 'null' }] }, contains: { $ref: '#' } }),
      ['properties', 'list', 'contains'],
    ],
    [
      'in a tuple of draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        ...listed({ type: 'array', items: [{ $ref: '#' }], minItems: 1 }),
      },
      ['properties', 'list', 'items', '0'],
    ],
  ])('%s', (_what, schema, path) => {
    let level: unknown = strictSchemaFaults(schema);
    for (const step of path) level = (level as Record<string, unknown> | null)?.[step];
    expect(JSON.stringify(level)).toContain('Requires itself without end');
  });

  it('is found in time, however long the circle is', () => {
    const circle = Object.fromEntries(
      Array.from({ length: 490 }, (_, i) => [`d${i}`, strict({ a: { $ref: `#/$defs/d${(i + 1) % 490}` } })]),
    );
    // The chain is as large but has no cycle. If the search followed the order of the definitions, it would take 490
    // passes.
    const chain = { ...circle, d0: strict({ a: { anyOf: [{ $ref: '#/$defs/d1' }, { type: 'null' }] } }) };
    const times = [circle, chain].map(($defs, index) => {
      const startedAt = performance.now();
      const faults = strictSchemaFaults(strict({ a: { $ref: '#/$defs/d1' } }, { $defs }));
      expect(JSON.stringify(faults)).toMatch(index === 0 ? /without end/ : /^null$/);
      return performance.now() - startedAt;
    });
    expect(Math.min(...times)).toBeLessThan(500);
  });
});

describe('no schema keeps the gateway busy', () => {
  it.each<[string, unknown]>([
    [
      'a circle of references',
      strict({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { $ref: '#/$defs/y' }, y: { $ref: '#/$defs/x' } } }),
    ],
    ['the top referring to itself', { $ref: '#' }],
    [
      'a circle through alternatives',
      strict({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/x' }] } } }),
    ],
    [
      'a circle through a definition that nothing else refers to',
      strict({}, { $defs: { x: { allOf: [{ $ref: '#/$defs/x' }] } } }),
    ],
    ['a circle through a condition', strict({ a: { type: 'string', if: { $ref: '#/properties/a' } } })],
    [
      'a circle by a dynamic reference',
      strict({ a: { $dynamicAnchor: 'a', anyOf: [{ type: 'null' }, { $dynamicRef: '#a' }] } }),
    ],
    [
      'a circle through a negation',
      strict({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'string', not: { $ref: '#/$defs/x' } } } }),
    ],
  ])('%s is refused', (_what, schema) =>
    expect(JSON.stringify(strictSchemaFaults(schema)).match(/Refers to itself/g)).toHaveLength(1),
  );

  it('nesting beyond 64 levels is refused', () => {
    let schema: unknown = { type: 'string' };
    for (let i = 0; i < 200; i++) schema = { type: 'array', items: schema };
    expect(JSON.stringify(strictSchemaFaults(schema))).toContain('64 levels');
  });

  it('few of many faults are told', () => {
    const faulty = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`p${i}`, { type: 'x' }]));
    expect(JSON.stringify(strictSchemaFaults(strict(faulty))).match(/_errors":\["/g)?.length).toBe(50);
  });
});
