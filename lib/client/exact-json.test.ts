import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAsWritten, parseBigIntegers, parseLongIntegers, stringifyExact } from './exact-json';

/** Guarantee: parsing and formatting JSON never rounds a number. */

const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('-0', '1.0', '1e400', '-1E-7', '0.10', '9007199254740993'),
);
const json = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    number,
    fc.string().map((text) => JSON.stringify(text)),
    fc.constantFrom('null', 'true'),
    fc.array(tie('value')).map((items) => `[${items.join()}]`),
    fc.dictionary(fc.string(), tie('value')).map(
      (members) =>
        `{${Object.entries(members)
          .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
          .join()}}`,
    ),
  ),
})).value;

describe('what is read', () => {
  test('as it is written is written so again, but for the order of members', () => {
    fc.assert(
      fc.property(fc.array(json), (items) => {
        const text = `[${items.join()}]`;
        expect(stringifyExact(parseAsWritten(text))).toBe(
          stringifyExact(parseAsWritten(stringifyExact(parseAsWritten(text)))),
        );
        expect(stringifyExact(parseAsWritten(`[${items.filter((item) => !item.includes('{')).join()}]`))).toBe(
          `[${items.filter((item) => !item.includes('{')).join()}]`,
        );
      }),
    );
  });

  test('with long integers as bigints is otherwise what JSON.parse reads', () => {
    fc.assert(
      fc.property(json, (text) => {
        const rounded = (value: unknown): unknown =>
          JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each)));
        expect(rounded(parseLongIntegers(text))).toEqual(rounded(JSON.parse(text)));
      }),
    );
  });
});

test.each<[string, unknown, unknown]>([
  ['9007199254740991', 9007199254740991n, 9007199254740991],
  ['9007199254740992', 9007199254740992n, 9007199254740992n],
  ['-9007199254740993', -9007199254740993n, -9007199254740993n],
  ['[1,18446744073709551615]', [1n, 18446744073709551615n], [1, 18446744073709551615n]],
  ['"9007199254740993"', '9007199254740993', '9007199254740993'],
  ['{"9007199254740993":1.5}', { '9007199254740993': 1.5 }, { '9007199254740993': 1.5 }],
  ['"a\\\\\\",9007199254740993"', 'a\\",9007199254740993', 'a\\",9007199254740993'],
  ['1e21', 1e21, 1e21],
])('%s', (text, integers, long) => {
  expect(parseBigIntegers(text)).toEqual(integers);
  expect(parseLongIntegers(text)).toEqual(long);
});

test.each(['', '01', '[1,]', '9007199254740993n'])('%j is no JSON', (text) => {
  for (const parse of [parseBigIntegers, parseLongIntegers, parseAsWritten])
    expect(() => parse(text)).toThrow(SyntaxError);
});
