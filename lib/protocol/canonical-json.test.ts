import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json';

it('writes the samples of RFC 8785 (3.2.2 and 3.2.3)', () => {
  const sample = JSON.parse(
    String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
  ) as unknown;
  expect(canonicalJson(sample)).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
  const names = JSON.parse(
    String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
  ) as unknown;
  expect([...canonicalJson(names).matchAll(/:(\d)/g)].map(([, value]) => value)).toEqual([
    '2',
    '4',
    '6',
    '7',
    '1',
    '5',
    '3',
  ]);
});

it('leaves out what is undefined', () => {
  expect(canonicalJson({ b: undefined, a: [undefined, { c: undefined }] })).toBe('{"a":[null,{}]}');
});

it('is the same text for the same value in any order of members, and reads back as that value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(JSON.parse(text)))).toBe(text);
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
