import { describe, expect, it } from 'vitest';
import { faultsOf } from '../error-tree';
import { SCHEMA_LIMITS } from './schema-budget';
import { strictSchemaFaults } from './strict-schema';

const range = (length: number) => Array.from({ length }, (_, index) => index);
const strict = (properties: Record<string, unknown>, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const properties = (length: number, each: (index: number) => unknown) =>
  Object.fromEntries(range(length).map((index) => [`p${index}`, each(index)]));
const nested = (levels: number, inner: unknown, wrap: (inner: unknown) => unknown) =>
  range(levels).reduce((schema) => wrap(schema), inner);

/** Schema whose expanded size doubles with each level, because every level refers twice to the next. */
const doubling = (levels: number, keyword: string) => ({
  $defs: {
    ...Object.fromEntries(
      range(levels).map((level) => [
        `d${level}`,
        { [keyword]: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
      ]),
    ),
    [`d${levels}`]: { type: 'string' },
  },
});

/** Returns the only fault of a schema. Also checks that finding it took under 1 s of CPU time. */
function refusal(schema: unknown): string {
  const before = process.cpuUsage();
  const faults = strictSchemaFaults(schema);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_000);
  const [first, ...more] = faults ? faultsOf(faults) : [];
  expect(more).toEqual([]);
  return `${first?.path}: ${first?.message}`;
}

describe('a schema beyond the budget is refused by path, with the limit, before anything is compiled', () => {
  it.each<[string, unknown, string]>([
    [
      '160 references to one anyOf of 160 branches',
      strict(
        properties(160, () => ({ $ref: '#/$defs/u' })),
        { $defs: { u: { anyOf: range(160).map((i) => ({ const: i })) } } },
      ),
      ': Has more than 10,000 schemas when every reference is expanded.',
    ],
    [
      '1,500 patterns',
      strict(properties(1_500, (i) => ({ type: 'string', pattern: `^(a|b)+${i}$` }))),
      'properties: Exceeds the limit: the whole schema may have at most 1,000 schemas.',
    ],
    [
      '1,500 patterns of names',
      strict(
        {},
        { patternProperties: Object.fromEntries(range(1_500).map((i) => [`^(a|b)+${i}$`, { type: 'string' }])) },
      ),
      'patternProperties: Exceeds the limit: the whole schema may have at most 1,000 schemas.',
    ],
    [
      '101 patterns',
      strict(properties(101, (i) => ({ type: 'string', pattern: `^(a|b)+${i}$` }))),
      'properties.p100.pattern: Exceeds the limit: the whole schema may have at most 100 patterns.',
    ],
    [
      '101 patterns of names',
      strict({}, { patternProperties: Object.fromEntries(range(101).map((i) => [`^${i}$`, { type: 'string' }])) }),
      'patternProperties: Exceeds the limit: the whole schema may have at most 100 patterns.',
    ],
    [
      'few patterns that are long together',
      strict(properties(20, () => ({ type: 'string', pattern: 'x'.repeat(500) }))),
      'properties.p16.pattern: Exceeds the limit: the whole schema may have at most 8,192 characters of patterns.',
    ],
    [
      'a long pattern',
      strict({ a: { type: 'string', pattern: 'x'.repeat(513) } }),
      'properties.a.pattern: Must be a regular expression of ECMA-262 with at most 512 characters.',
    ],
    [
      '501 branches',
      strict({
        a: { anyOf: range(300).map((i) => ({ const: i })) },
        b: { oneOf: range(201).map((i) => ({ const: i })) },
      }),
      'properties.b.oneOf: Exceeds the limit: the whole schema may have at most 500 branches of anyOf, oneOf and allOf together.',
    ],
    [
      'references that double what they refer to, level by level',
      strict({ a: { $ref: '#/$defs/d0' } }, doubling(30, 'anyOf')),
      '$defs.d22: Checks a single value against more than 1,000 schemas.',
    ],
    [
      'the same with allOf',
      strict({ a: { $ref: '#/$defs/d0' } }, doubling(30, 'allOf')),
      '$defs.d22: Checks a single value against more than 1,000 schemas.',
    ],
    [
      'the same through members',
      strict(
        { a: { $ref: '#/$defs/d0' } },
        {
          $defs: {
            ...Object.fromEntries(
              range(30).map((level) => [
                `d${level}`,
                strict({ a: { $ref: `#/$defs/d${level + 1}` }, b: { $ref: `#/$defs/d${level + 1}` } }),
              ]),
            ),
            d30: { type: 'string' },
          },
        },
      ),
      '$defs.d18: Has more than 10,000 schemas when every reference is expanded.',
    ],
    [
      'a chain of 400 references',
      strict(
        { a: { $ref: '#/$defs/d0' } },
        {
          $defs: {
            ...Object.fromEntries(range(400).map((i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }])),
            d400: { type: 'string' },
          },
        },
      ),
      '$defs.d336: Is nested more than 64 levels deep when references are followed.',
    ],
    [
      '501 references',
      strict(
        properties(501, () => ({ $ref: '#/$defs/s' })),
        { $defs: { s: { type: 'string' } } },
      ),
      'properties.p500.$ref: Exceeds the limit: the whole schema may have at most 500 references.',
    ],
    [
      '1,001 schemas',
      strict(properties(1_001, () => ({ type: 'string' }))),
      'properties: Exceeds the limit: the whole schema may have at most 1,000 schemas.',
    ],
    [
      '1,001 definitions that nothing refers to',
      strict({}, { $defs: properties(1_001, () => ({ type: 'string' })) }),
      '$defs: Exceeds the limit: the whole schema may have at most 1,000 schemas.',
    ],
    [
      '65 levels of JSON',
      nested(200, { type: 'string' }, (inner) => ({ type: 'array', items: inner })),
      'items.items.items.items: Is nested more than 64 levels deep.',
    ],
    [
      'a value to equal of 30,000 items',
      strict({ a: { const: range(30_000) } }),
      ': Has more than 20,000 members and items.',
    ],
    [
      'a value to equal of 200,000 characters',
      strict({ a: { const: 'x'.repeat(200_000) } }),
      ': Has more than 131,072 characters of names and text.',
    ],
    [
      'names of 200,000 characters',
      strict({ ['x'.repeat(200_000)]: { type: 'string' } }),
      ': Has more than 131,072 characters of names and text.',
    ],
    [
      'an enum of 1,001 values',
      strict({ a: { enum: range(1_001) } }),
      'properties.a.enum: Must be an array of 1 to 1,000 values.',
    ],
  ])('%s', (_what, schema, fault) => expect(refusal(schema)).toBe(fault));

  it('as are values nested so deep that following them would end the thread', () => {
    expect(refusal(JSON.parse(`${'{"items":'.repeat(5_000)}{}${'}'.repeat(5_000)}`))).toContain('64 levels');
    expect(
      refusal(strict({ a: { const: JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown } })),
    ).toContain('64 levels');
  });
});

describe('a schema within the budget is strict, up to the last of each limit', () => {
  it.each<[string, unknown]>([
    ['1,000 properties', strict(properties(SCHEMA_LIMITS.schemas, () => ({ type: 'string' })))],
    ['100 patterns', strict(properties(100, (i) => ({ type: 'string', pattern: `^${i}$` })))],
    ['500 branches', strict({ a: { anyOf: range(500).map((i) => ({ const: i })) } })],
    ['references that double five times', strict({ a: { $ref: '#/$defs/d0' } }, doubling(5, 'anyOf'))],
    [
      '60 references to 100 branches',
      strict(
        properties(60, () => ({ $ref: '#/$defs/u' })),
        { $defs: { u: { anyOf: range(100).map((i) => ({ const: i })) } } },
      ),
    ],
    [
      'twelve kinds of nodes, each of which may hold each',
      strict(
        { a: { $ref: '#/$defs/n0' } },
        {
          $defs: Object.fromEntries(
            range(12).map((i) => [
              `n${i}`,
              strict({
                kind: { const: i },
                inner: { type: 'array', items: { anyOf: range(12).map((j) => ({ $ref: `#/$defs/n${j}` })) } },
              }),
            ]),
          ),
        },
      ),
    ],
  ])('%s', (_what, schema) => expect(strictSchemaFaults(schema)).toBeNull());
});

it('counting takes time by the size of the schema alone', () => {
  const hostile = [
    strict(
      properties(160, () => ({ $ref: '#/$defs/u' })),
      { $defs: { u: { anyOf: range(160).map((i) => ({ const: i })) } } },
    ),
    strict(
      properties(500, () => ({ $ref: '#anchor' })),
      { $defs: { s: { $anchor: 'anchor', type: 'string' } }, examples: range(15_000).map(() => ({})) },
    ),
    strict(properties(1_000, (i) => ({ type: 'array', items: { enum: [i] } }))),
    strict({ a: { $ref: '#/$defs/d0' } }, doubling(240, 'anyOf')),
    strict({ a: { type: 'string' } }, { examples: range(2_000_000) }),
  ];
  for (const schema of hostile) strictSchemaFaults(schema);
  for (const schema of hostile) {
    const before = process.cpuUsage();
    strictSchemaFaults(schema);
    const { user, system } = process.cpuUsage(before);
    // Measured: under 20 ms. An algorithm over the expanded schema, or over references times values, takes seconds.
    expect((user + system) / 1_000).toBeLessThan(300);
  }
});
