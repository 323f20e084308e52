import { describe, expect, it } from 'vitest';
import { replyFault } from './reply-schema';

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
