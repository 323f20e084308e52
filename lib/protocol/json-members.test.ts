import { describe, expect, it } from 'vitest';
import { membersFault, type MemberSpan } from './json-members';
import { scanObject, skipWhitespace } from './json-scan';
import { randomJson } from './testing/random-json';
import { SeededRandom } from './testing/seeded-random';

const LIMITS = { valuesMax: 1_000, membersMax: 500, depthMax: 64, nameBytesMax: 100 };
const faultOf = (text: string, limits = LIMITS) => membersFault(new TextEncoder().encode(text), limits);

/** Returns whether `JSON.parse` loses a member of the document because of a duplicate. */
function hasRepetition(text: string): boolean {
  // Compares the parsed members and items with those written. Fewer parsed ones mean a duplicate.
  const count = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).reduce((sum, [, inner]) => sum + 1 + count(inner), 0)
      : 0;
  const written = text.replace(/"(?:[^"\\]|\\.)*"/g, 'x');
  const items = (written.match(/,/g)?.length ?? 0) + (written.match(/[[{](?!\s*[\]}])/g)?.length ?? 0);
  return count(JSON.parse(text)) !== items;
}

describe('a member that stands in an object twice is found', () => {
  it.each([
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"b":{"c":[{},{"d":1,"e":2,"d":3}]}}', ['b', 'c', '1', 'd']],
    ['{"max_tokens":1,"\\u006dax_tokens":2}', ['max_tokens']],
    ['{"\\u006dax_tokens":1,"ma\\u0078_tokens":2}', ['max_tokens']],
    ['{"":1,"":2}', ['']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"é":1,"\\u00e9":2}', ['é']],
    ['{"a":1 , "b" : "}" , "a" : {}}', ['a']],
    ['{"a":"\\"","a":1}', ['a']],
    [`{${Array.from({ length: 30 }, (_, i) => `"k${i}":0`).join(',')},"k3":1}`, ['k3']],
    ['{"response_format":{"type":"text","type":"json_object"}}', ['response_format', 'type']],
  ])('%s', (text, path) => expect(faultOf(text)).toEqual({ kind: 'repeated', path }));
});

describe('what is none', () => {
  it.each([
    '{}',
    '[]',
    '1',
    '"a"',
    '',
    '{"a":1,"A":2}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"b","b":"a"}',
    '{"a":["a","a"]}',
    '{"a":1',
    '{"a"',
    '{"a\\',
    ']',
    '}{',
    ',',
    '{"\\u00zz":1,"a":2}',
  ])('is passed: %s', (text) => expect(faultOf(text)).toBeNull());
});

it('agrees with the parser on random documents', () => {
  const random = new SeededRandom(13);
  let repeated = 0;
  for (let i = 0; i < 4_000; i++) {
    let text = `{"a":${randomJson(random, random.integer(0, 4))},"b":[${randomJson(random, 3)},${randomJson(random, 3)}]`;
    if (random.chance(0.4)) text += `,${random.pick(['"a"', '"\\u0061"', '"c"'])}:${randomJson(random, 2)}`;
    text += '}';
    const fault = faultOf(text, { valuesMax: 1e9, membersMax: 1e9, depthMax: 1_000, nameBytesMax: 1e9 });
    expect(fault?.kind === 'repeated', text).toBe(hasRepetition(text));
    if (fault) repeated++;
  }
  expect(repeated).toBeGreaterThan(400);
});

it('finds where the members of the document are, as the scanner does', () => {
  const random = new SeededRandom(17);
  const space = () => random.pick(['', ' ', '\n\t']);
  for (let i = 0; i < 2_000; i++) {
    const members = Array.from(
      { length: random.integer(0, 5) },
      (_, index) =>
        `${space()}${random.pick([`"k${index}"`, `"\\u006b${index}"`])}${space()}:${space()}${randomJson(random, random.integer(0, 3))}${space()}`,
    );
    const bytes = new TextEncoder().encode(`${space()}{${members.join(',')}${space()}}${space()}`);
    const found = new Map<string, MemberSpan>();
    if (membersFault(bytes, { valuesMax: 1e9, membersMax: 1e9, depthMax: 1_000, nameBytesMax: 1e9 }, found)) continue;
    const expected = new Map<string, MemberSpan>();
    scanObject(bytes, skipWhitespace(bytes, 0), 1_000, (key, start, end) => expected.set(key, { start, end }));
    expect(found, new TextDecoder().decode(bytes)).toEqual(expected);
  }
});

it('stops at the limits', () => {
  expect(faultOf(`[${'1,'.repeat(2_000)}1]`)).toEqual({ kind: 'too-many' });
  expect(faultOf(`[${'[],'.repeat(2_000)}1]`)).toEqual({ kind: 'too-many' });
  expect(faultOf('['.repeat(100_000))).toEqual({ kind: 'too-deep' });
  expect(faultOf(`{${Array.from({ length: 501 }, (_, i) => `"k${i}":0`).join(',')}}`)).toEqual({ kind: 'too-many' });
  expect(faultOf(`{"${'x'.repeat(101)}":0}`)).toEqual({ kind: 'name-too-long' });
  expect(faultOf(`{"${'x'.repeat(100)}":"${'x'.repeat(1_000)}"}`)).toBeNull();
  expect(faultOf(`[${'1,'.repeat(998)}1]`)).toBeNull();
  expect(faultOf(`${'['.repeat(64)}${']'.repeat(64)}`)).toBeNull();
});

it('takes time by the bytes alone', () => {
  const limits = { valuesMax: 100_000, membersMax: 2_000, depthMax: 128, nameBytesMax: 4_096 };
  for (const text of [
    `{"a":"${'x'.repeat(8_000_000)}"}`,
    `{"a":"${'\\"'.repeat(4_000_000)}"}`,
    `[${`{${Array.from({ length: 2_000 }, (_, i) => `"k${i}":0`).join(',')}},`.repeat(20)}1]`,
    `[${'{"a":1,"b":2},'.repeat(30_000)}1]`,
    ' '.repeat(8_000_000),
  ]) {
    const bytes = new TextEncoder().encode(text);
    // Measured: 1 to 35 ms. Takes the least of three runs, because garbage collection slows some of them.
    const tookMs = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      expect(membersFault(bytes, limits)).toBeNull();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    expect(Math.min(...tookMs), text.slice(0, 10)).toBeLessThan(400);
  }
});
