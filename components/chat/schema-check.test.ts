import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { replyFaults } from './reply-check';
import { responseFormatOf } from './conversation';
import { checkSchema, EXAMPLE_SCHEMA } from './schema-check';
import { responseFormatSchema } from '@/lib/protocol/chat/response-format';

const faultsOf = (text: string) => {
  const check = checkSchema(text);
  return check.kind === 'faulty' ? check.faults.map(({ path, message }) => `${path}: ${message}`) : check.kind;
};

describe('a schema that is typed', () => {
  it('is none while there is only white space, and strict as the example is', () => {
    expect(faultsOf(' \n')).toBe('none');
    expect(faultsOf(EXAMPLE_SCHEMA)).toBe('strict');
  });

  it('is sent as the gateway reads it', () => {
    const check = checkSchema(EXAMPLE_SCHEMA);
    expect(check.kind === 'strict' && responseFormatSchema.safeParse(responseFormatOf(check.schema)).success).toBe(
      true,
    );
  });

  it('names what is no JSON by line and column', () => {
    expect(faultsOf('{\n  "type": object }')).toEqual([expect.stringContaining('Line 2, column 11')]);
    expect(faultsOf('[]')).toEqual([': A schema is a JSON object.']);
  });

  it('names each fault by its path', () => {
    expect(
      faultsOf(
        '{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"text"}},"required":["b"],"additionalProperties":false}},"additionalProperties":false}',
      ),
    ).toEqual([
      expect.stringMatching(/^required: .*missing: a/),
      expect.stringMatching(/^properties\.a\.properties\.b\.type: /),
    ]);
  });

  it('refuses references to elsewhere', () => {
    expect(faultsOf('{"$ref":"https://example.com/x"}')).toEqual([
      expect.stringMatching(/^\$ref: Must refer to a place within/),
    ]);
  });
});

describe('an answer under a schema', () => {
  const schema = JSON.parse(EXAMPLE_SCHEMA) as Record<string, unknown>;

  it('fits, or is told what does not, by path', () => {
    expect(replyFaults('{"summary":"x","steps":["a"],"found":true}', schema)).toEqual([]);
    expect(replyFaults('{"summary":"x","steps":["a",3],"found":true}', schema)).toEqual([
      expect.stringMatching(/^steps\.1: /),
    ]);
    expect(replyFaults('{"summary":"x","steps":[]}', schema)).toEqual(['found: is missing']);
    expect(replyFaults('{"summary":"x","steps":[],"found":null}', schema)).toEqual([
      expect.stringMatching(/^found: (?!is missing)/),
    ]);
    expect(replyFaults('{"summary":"x","steps":[],"found":true,"more":1}', schema)).toEqual([
      expect.stringContaining('more'),
    ]);
    expect(replyFaults('Sure! {"summary":""}', schema)).toEqual(['The answer is not valid JSON.']);
  });

  it('does not pass for a member that only its default would fill in', () => {
    const withDefault = {
      type: 'object',
      properties: { a: { type: 'string', default: 'x' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(replyFaults('{}', withDefault)).toEqual(['a: is missing']);
  });

  it('says so where a keyword cannot be checked here', () => {
    expect(replyFaults('1', { type: 'number', if: { const: 1 }, then: { const: 2 } })).toEqual([
      expect.stringMatching(/^Not checked here: /),
    ]);
  });

  it.each([
    [{ type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 2 }, ['[1]', '[0]', '[1,2,3]', '[1.5]', '{}']],
    [{ anyOf: [{ type: 'string', maxLength: 2 }, { type: 'null' }] }, ['"ab"', '"abc"', 'null', '1']],
    [{ type: ['string', 'null'], enum: ['a', null] }, ['"a"', '"b"', 'null']],
    [
      {
        $defs: {
          node: {
            type: 'object',
            properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
            required: ['next'],
            additionalProperties: false,
          },
        },
        $ref: '#/$defs/node',
      },
      ['{"next":null}', '{"next":{"next":null}}', '{"next":{}}', '{"next":1}'],
    ],
    [{ type: 'string', pattern: '^a+$' }, ['"aa"', '"b"']],
  ])('agrees with another validator on %j', (given, answers) => {
    const validate = new Ajv2020({ strict: false }).compile(given);
    for (const text of answers)
      expect([text, replyFaults(text, given).length === 0]).toEqual([text, validate(JSON.parse(text))]);
  });
});
