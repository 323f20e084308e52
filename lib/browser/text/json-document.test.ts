import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, parseJsonDocument } from './json-document';

describe('a JSON text is shown as it was written', () => {
  it('keeps numbers beyond 2^53 and trailing zeros', () => {
    expect(parseJsonDocument('[18446744073709551615, 1.50, -0, 1E400]')).toEqual({
      kind: 'array',
      items: ['18446744073709551615', '1.50', '-0', '1E400'].map((source) => ({ kind: 'number', source })),
    });
  });

  it('keeps the order of members, duplicates and names like __proto__', () => {
    const node = parseJsonDocument('{"b":1,"2":2,"__proto__":3,"b":4}');
    expect(node.kind === 'object' && node.members.map(([key]) => key)).toEqual(['b', '2', '__proto__', 'b']);
  });

  it('decodes strings with every escape', () => {
    expect(parseJsonDocument(String.raw`"\u00e9\ud83d\ude00\/\n\""`)).toEqual({ kind: 'string', value: 'é😀/\n"' });
  });

  it('agrees with JSON.parse about what is JSON', () => {
    const texts = [
      '',
      ' ',
      '{}',
      '[]',
      '[1,]',
      '{"a":1,}',
      '01',
      '1.',
      '.5',
      '+1',
      '-',
      '1e',
      'nul',
      'true ',
      ' null\n',
      '"a',
      '"\t"',
      '"\\x"',
      "'a'",
      '{"a"}',
      '{a:1}',
      '[1 2]',
      '1 2',
      '\ufeff{}',
      '{"a":[{"b":null}]}',
      '0x10',
      'NaN',
      '[',
      '{"a":',
      '"\\u12"',
      '1_000',
      '﻿',
      '\u00a01',
    ];
    for (const text of texts) {
      const isJson = (parse: (text: string) => unknown) => {
        try {
          parse(text);
          return true;
        } catch {
          return false;
        }
      };
      expect([text, isJson(parseJsonDocument)]).toEqual([text, isJson(JSON.parse)]);
    }
  });
});

describe('a broken text gets a sentence with its place', () => {
  it.each([
    ['{\n  "a": tru\n}', 2, 8, '"tru" is not a JSON value'],
    ['{"a": 1,}', 1, 9, 'remove it'],
    ['[1, 2', 1, 6, 'the text ends inside an array'],
    ['{"id": 0x1f}', 1, 8, 'not a JSON number'],
    ["['a']", 1, 2, 'double quotes'],
    ['{"a":1} x', 1, 9, 'after the end'],
    ['"a\nb"', 1, 1, 'line break'],
  ])('%j', (text, line, column, problem) => {
    const fault = (() => {
      try {
        parseJsonDocument(text);
      } catch (error) {
        return error;
      }
      return null;
    })();
    expect(fault).toBeInstanceOf(JsonSyntaxError);
    expect(fault).toMatchObject({ line, column });
    expect((fault as JsonSyntaxError).message).toContain(problem);
  });

  it('refuses nesting of 10,000 with a sentence instead of a stack overflow', () => {
    expect(() => parseJsonDocument('['.repeat(10_000))).toThrow(/nested deeper/);
  });
});
