import { describe, expect, it } from 'vitest';
import { strictSchemaFaults } from '@/lib/protocol/chat/strict-schema';
import { replyFault, unusableSchema } from './reply-schema';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more });

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

  it.each(['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft-07/schema', 'https://json-schema.org/draft/2020-12/schema'])('is held to a schema of %s', ($schema) => {
    const schema = object({ at: { type: 'string', format: 'date-time' } }, { $schema, $id: 'https://example.com/one' });
    expect(replyFault('{"at":"2026-01-01T00:00:00Z"}', schema)).toBeNull();
    expect(replyFault('{"at":"tomorrow"}', schema)).toContain('/at');
    expect(replyFault('{"other":1}', object({ other: { type: 'number' } }, { $schema, $id: 'https://example.com/one' }))).toBeNull();
  });

  it('that a pattern takes for ever on keeps nobody waiting', () => {
    const startedAt = performance.now();
    expect(replyFault(JSON.stringify({ a: `${'a'.repeat(60)}!` }), object({ a: { type: 'string', pattern: '^(a+)+$' } }))).toBe('it takes too long to be checked');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(replyFault('{"a":"aa"}', object({ a: { type: 'string', pattern: '^(a+)+$' } }))).toBeNull();
  });
});

describe('references within a schema', () => {
  const versions = [undefined, 'http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'];
  const tree = (to: object, more: object = {}) => object({ name: { type: 'string' }, children: { type: 'array', items: to } }, more);
  const schemas = versions.flatMap(($schema): [string, Record<string, unknown>][] => {
    const named = { ...($schema && { $schema }), $id: 'https://example.com/tree' };
    return [
      [`# in ${$schema}`, tree({ $ref: '#' }, named)],
      [`#/$defs/node in ${$schema}`, { ...named, $ref: '#/$defs/node', $defs: { node: tree({ $ref: '#/$defs/node' }) } }],
      [`an anchor in ${$schema}`, tree({ $ref: '#node' }, { ...named, $anchor: 'node' })],
      [`an anchor beside $defs in ${$schema}`, { ...tree({ $ref: '#node' }, { ...named, $anchor: 'node' }), $defs: { other: { type: 'string' } } }],
      [`an anchor of a part in ${$schema}`, { ...named, ...object({ top: { $ref: '#node' } }), $defs: { part: tree({ $ref: '#node' }, { $anchor: 'node' }) } }],
    ];
  });

  it.each(schemas)('are followed: %s', (_, schema) => {
    expect(strictSchemaFaults(schema)).toBeNull();
    expect(unusableSchema(schema)).toBeNull();
    const wrapped = (value: object) => JSON.stringify(schema['properties'] && 'top' in (schema['properties'] as object) ? { top: value } : value);
    expect(replyFault(wrapped({ name: 'a', children: [{ name: 'b', children: [] }] }), schema)).toBeNull();
    expect(replyFault(wrapped({ name: 'a', children: [{ name: 1, children: [] }] }), schema)).toMatch(/children\/0\/name must be string/);
  });

  it('are those of each schema alone, though several have one $id', () => {
    const [one, other] = [{ type: 'string' }, { type: 'number' }].map((a) => ({ ...object({ a: { $ref: '#/$defs/a' } }), $id: 'https://example.com/x', $defs: { a } }));
    expect([replyFault('{"a":"x"}', one as object as Record<string, unknown>), replyFault('{"a":1}', other as object as Record<string, unknown>)]).toEqual([null, null]);
    expect(replyFault('{"a":1}', one as object as Record<string, unknown>)).toBe('/a must be string');
  });

  it('that cannot be compiled are told before anything is spent, in a sentence', () => {
    const twice = object({ a: { type: 'string', $anchor: 'x' }, b: { type: 'number', $anchor: 'x' } });
    expect(strictSchemaFaults(twice)).toBeNull();
    expect(unusableSchema(twice)).toMatch(/^Cannot be used to check a reply: .+/);
  });

  it('hold for replies nested deeper than they can be checked, which are no failure of the gateway', () => {
    const depth = 60_000;
    expect(replyFault('{"a":'.repeat(depth) + 'null' + '}'.repeat(depth), object({ a: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }))).toMatch(/nested too deeply|not valid JSON|too long/);
  });
});
