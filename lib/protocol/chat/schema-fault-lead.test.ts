import { describe, expect, it } from 'vitest';
import { faultsOf } from '../error-tree';
import { schemaFaultLead } from './schema-fault-lead';
import { strictSchemaFaults } from './strict-schema';

const object = (a: object, more: object = {}) => ({
  type: 'object',
  properties: { a },
  required: ['a'],
  additionalProperties: false,
  ...more,
});

describe('what is said first of a response schema', () => {
  it.each<[string, object, string]>([
    [
      'an object that is open',
      object({ type: 'string' }, { additionalProperties: true }),
      'The response schema is not strict',
    ],
    [
      'a property that may be left out',
      object({ type: 'string' }, { required: [] }),
      'The response schema is not strict',
    ],
    ['a property of any type', object({}), 'The response schema is not strict'],
    [
      'a format that nobody knows',
      object({ type: 'string', format: 'colour' }),
      'The response schema has an unknown format',
    ],
    [
      'a remote reference',
      object({ $ref: 'https://example.com/schema.json' }),
      'The response schema refers to another document',
    ],
    ['a reference to nothing', object({ $ref: '#/$defs/a' }), 'The response schema cannot be used'],
    ['an unknown keyword', object({ type: 'string', maxLenght: 3 }), 'The response schema cannot be used'],
  ])('names the fault: %s', (_what, schema, lead) => {
    const [first] = faultsOf(strictSchemaFaults(schema) ?? { _errors: [] });
    expect(schemaFaultLead(first?.message ?? '')).toBe(lead);
  });
});
