import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainKind } from '@/lib/protocol/networks';
import type { ItemAnswer } from '../node-request';
import type { UpstreamNode } from '../upstream-node';
import { Ballot, canonicalAnswer, canonicalJson, differingPath, pathText, shownAt } from './ballot';

const answerOf = (text: string, kind: ItemAnswer['kind'] = 'result'): ItemAnswer => ({
  kind,
  bytes: Buffer.from(text),
  start: 0,
  end: Buffer.byteLength(text),
});
const areSame = (
  a: string,
  b: string,
  { chain = 'evm', kind = 'result' }: { chain?: ChainKind; kind?: ItemAnswer['kind'] } = {},
): boolean => {
  const ballot = new Ballot(chain);
  for (const text of [a, b]) ballot.add(answerOf(text, kind), {} as UpstreamNode);
  return ballot.groups.length === 1;
};

describe('two results are one answer', () => {
  it.each([
    ['in any order of members', '{"a":1,"b":{"c":2,"d":3}}', '{ "b": {"d":3, "c":2}, "a": 1 }'],
    ['in either case of hex', '{"to":"0xAbCd","topics":["0xFF"]}', '{"to":"0xabcd","topics":["0xff"]}'],
    ['in either case of hex in names', '{"0xAB":{"balance":"0x1"}}', '{"0xab":{"balance":"0x1"}}'],
    ['with members that are null or left out', '{"a":1,"to":null,"x":{"y":null}}', '{"a":1,"x":{}}'],
    ['with other escapes', '"\\u0061\\/"', '"a/"'],
    ['with numbers that are written otherwise', '[1.0,100,0.5,-0]', '[1,1e2,5e-1,0]'],
  ])('%s', (_what, a, b) => expect(areSame(a, b)).toBe(true));

  it('of Starknet whose field elements have leading zeros', () => {
    expect(areSame('"0x00aB"', '"0xab"', { chain: 'starknet' })).toBe(true);
    expect(areSame('"0x00ab"', '"0xab"')).toBe(false);
  });
});

describe('two results are two answers', () => {
  it.each([
    ['that differ in a value', '{"a":1}', '{"a":2}'],
    ['that differ in the order of a list', '[1,2]', '[2,1]'],
    ['of which one has an item that is null', '[null]', '[]'],
    ['null and an empty list', 'null', '[]'],
    ['null and an empty object', 'null', '{}'],
    ['a number and its text', '1', '"1"'],
    ['integers that are one double', '9007199254740993', '9007199254740992'],
    ['decimals that are one double', '0.1', '0.1000000000000000055511151231257827'],
    ['hex with leading zeros, which may be data', '"0x01"', '"0x1"'],
    ['words that are no hex, by their case', '"0xZZ"', '"0xzz"'],
    ['one that says a name twice', '{"a":1,"a":2}', '{"a":2}'],
    ['one that says a name twice in two cases', '{"0xAB":1,"0xab":2}', '{"0xab":2}'],
    ['an extra member', '{"a":1,"b":false}', '{"a":1}'],
  ])('%s', (_what, a, b) => expect(areSame(a, b)).toBe(false));

  it('base58 and base64 on Solana, by their case', () =>
    expect(areSame('"0xAb"', '"0xaB"', { chain: 'solana' })).toBe(false));

  it('a result and an error', () => {
    const ballot = new Ballot('evm');
    ballot.add(answerOf('{"code":3,"message":"no"}', 'error'), {} as UpstreamNode);
    ballot.add(answerOf('{"code":3,"message":"no"}'), {} as UpstreamNode);
    expect(ballot.groups).toHaveLength(2);
  });
});

describe('errors', () => {
  it.each([
    [
      'reverts of one reason',
      '{"code":3,"message":"execution reverted: No","data":"0x08c379a0"}',
      '{"code":-32000,"message":"VM Exception","data":"Reverted 0x08C379A0"}',
      true,
    ],
    [
      'reverts of two reasons',
      '{"code":3,"message":"execution reverted","data":"0x01"}',
      '{"code":3,"message":"execution reverted","data":"0x02"}',
      false,
    ],
    [
      'one code, and words that differ in case and white space',
      '{"code":-32602,"message":"Invalid  params"}',
      '{"code":-32602,"message":"invalid params "}',
      true,
    ],
    ['two codes', '{"code":-32602,"message":"no"}', '{"code":-32000,"message":"no"}', false],
  ])('%s', (_what, a, b, expected) => expect(areSame(a, b, { kind: 'error' })).toBe(expected));
});

describe('the canonical form', () => {
  it('is the same for what says the same, and another for what does not', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [left, right] = [
          canonicalJson(JSON.stringify(a, null, 1), (text) => text),
          canonicalJson(JSON.stringify(b), (text) => text),
        ];
        expect(JSON.parse(left as string)).toEqual(withoutNulls(JSON.parse(JSON.stringify(a)) as unknown));
        expect(canonicalJson(left as string, (text) => text)).toBe(left);
        if (left === right)
          expect(withoutNulls(JSON.parse(JSON.stringify(a)) as unknown)).toEqual(
            withoutNulls(JSON.parse(JSON.stringify(b)) as unknown),
          );
      }),
      { seed: 35, numRuns: 500 },
    );
  });

  it('is null for deeply nested and for long answers', () => {
    expect(canonicalJson('['.repeat(50_000) + ']'.repeat(50_000), (text) => text)).toBeNull();
    expect(canonicalAnswer(answerOf(`"${'a'.repeat(5_000_000)}"`), 'evm')).toBeNull();
  });
});

/** Removes `null` members, as the canonical form does. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}

describe('where two answers differ', () => {
  it.each([
    [
      '{"logs":[{"data":"0x1"},{"data":"0x2"}]}',
      '{"logs":[{"data":"0x1"},{"data":"0x3"}]}',
      'result.logs[1].data',
      ['"0x2"', '"0x3"'],
    ],
    ['"0x1"', '"0x2"', 'result', ['"0x1"', '"0x2"']],
    ['[1]', '[1,2]', 'result', ['a list of 1', 'a list of 2']],
    ['{"a":1}', '{"a":1,"b":2}', 'result.b', ['nothing', '2']],
    ['null', '{"a":1}', 'result', ['null', '{"a":1}']],
  ])('%s and %s', (a, b, path, values) => {
    const found = differingPath(a, b);
    expect(pathText(found)).toBe(path);
    expect([shownAt(a, found), shownAt(b, found)]).toEqual(values);
  });
});
