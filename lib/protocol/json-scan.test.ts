import { describe, expect, it } from 'vitest';
import { kindOfValue, MALFORMED, scanArray, scanObject, skipValue, skipWhitespace, TOO_DEEP } from './json-scan';
import { randomJson, randomJsonString } from './testing/random-json';
import { SeededRandom } from './testing/seeded-random';

const DEPTH = 64;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const skip = (text: string, maxDepth = DEPTH) => skipValue(bytesOf(text), 0, maxDepth);

/** Rebuilds a document from the scanner's spans. Parses only scalars and strings. */
function rebuild(bytes: Uint8Array, start: number): { value: unknown; end: number } {
  const kind = kindOfValue(bytes, start);
  if (kind === 'scalar') {
    const end = skipValue(bytes, start, DEPTH);
    return { value: JSON.parse(textOf(bytes.subarray(start, end))) as unknown, end };
  }
  const members: [string, unknown][] = [];
  const scan = kind === 'object' ? scanObject : scanArray;
  const end = scan(bytes, start, DEPTH, (key, valueStart, valueEnd) => {
    const inner = rebuild(bytes, valueStart);
    expect(inner.end).toBe(valueEnd);
    members.push([key, inner.value]);
  });
  expect(end).toBe(skipValue(bytes, start, DEPTH));
  // As in `JSON.parse`, a later duplicate replaces the value and keeps the first one's place.
  return { value: kind === 'object' ? Object.fromEntries(members) : members.map(([, value]) => value), end };
}

describe('spans are exact on every document that JSON.parse accepts', () => {
  it.each([1, 2, 3, 4])('random documents of seed %i', (seed) => {
    const random = new SeededRandom(seed);
    for (let i = 0; i < 1500; i++) {
      const text = randomJson(random, 5);
      const { value, end } = rebuild(bytesOf(text), 0);
      expect(JSON.stringify(value), text).toBe(JSON.stringify(JSON.parse(text)));
      expect(end, text).toBe(bytesOf(text).length);
    }
  });

  it('decodes keys as the parser does, escaped or not', () => {
    const random = new SeededRandom(5);
    for (let i = 0; i < 3000; i++) {
      const quoted = randomJsonString(random);
      const keys: string[] = [];
      scanObject(bytesOf(`{${quoted}:0}`), 0, DEPTH, (key) => keys.push(key));
      expect(keys).toEqual([JSON.parse(quoted)]);
    }
  });
});

describe('a document that is cut off is never whole', () => {
  it('at any length of random containers and strings', () => {
    const random = new SeededRandom(6);
    for (let i = 0; i < 300; i++) {
      const text = random.chance(0.5) ? `{"a":${randomJson(random, 3)}}` : randomJsonString(random);
      const bytes = bytesOf(text);
      for (let length = 0; length < bytes.length; length++)
        expect(skipValue(bytes.subarray(0, length), 0, DEPTH), text).toBe(MALFORMED);
    }
  });

  it('whatever byte ends it, strings of each length around the change of method included', () => {
    for (let length = 0; length < 120; length++) {
      for (const tail of ['"', '\\""', '\\\\"', '\\\\\\""']) {
        const text = `"${'x'.repeat(length)}${tail}`;
        expect(skip(text), text).toBe(text.length);
        expect(skip(text.slice(0, -1)), text).toBe(MALFORMED);
      }
    }
  });
});

describe('bytes that are no JSON', () => {
  it('never end the scan outside the text, and agree with the parser wherever it accepts them', () => {
    const random = new SeededRandom(7);
    for (let i = 0; i < 4000; i++) {
      const bytes = bytesOf(`[${randomJson(random, 4)}]`);
      for (let flips = random.integer(1, 3); flips > 0; flips--)
        bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      const end = skipValue(bytes, 0, DEPTH);
      expect(end === MALFORMED || end === TOO_DEEP || (end > 0 && end <= bytes.length)).toBe(true);
      const parsed = parseWhole(bytes);
      if (parsed && kindOfValue(bytes, 0) !== 'scalar')
        expect(JSON.stringify(rebuild(bytes, 0).value)).toBe(JSON.stringify(parsed.value));
    }
  });

  it.each(['', ' ', ',', ']', '}', ':,'])('finds no value in %j', (text) => {
    if (text !== ':,') expect(skip(text)).toBe(MALFORMED);
    expect(scanObject(bytesOf(text), 0, DEPTH, () => undefined)).toBe(MALFORMED);
    expect(scanArray(bytesOf(text), 0, DEPTH, () => undefined)).toBe(MALFORMED);
  });

  it.each(['{a:1}', '{"a"1}', '{"a":}', '{"a":1', '{"a":1,}', '{"a":1 "b":2}', '{,}', '{"\\x":1}', '{1:2}'])(
    'refuses the object %s',
    (text) => {
      expect(scanObject(bytesOf(text), 0, DEPTH, () => undefined)).toBe(MALFORMED);
    },
  );

  it.each(['[1', '[1,', '[1 2]', '[,]', '[1}'])('refuses the array %s', (text) => {
    expect(scanArray(bytesOf(text), 0, DEPTH, () => undefined)).toBe(MALFORMED);
  });
});

function parseWhole(bytes: Uint8Array): { value: unknown } | null {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as unknown };
  } catch {
    return null;
  }
}

describe('depth', () => {
  it('admits exactly maxDepth nested containers', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(skip(nested(10), 10)).toBe(20);
    expect(skip(nested(11), 10)).toBe(TOO_DEEP);
    expect(scanArray(bytesOf(nested(10)), 0, 10, () => undefined)).toBe(20);
    expect(scanArray(bytesOf(nested(11)), 0, 10, () => undefined)).toBe(TOO_DEEP);
    expect(scanObject(bytesOf(`{"a":${nested(9)}}`), 0, 10, () => undefined)).toBe(24);
    expect(scanObject(bytesOf(`{"a":${nested(10)}}`), 0, 10, () => undefined)).toBe(TOO_DEEP);
  });

  it('counts no bracket inside a string', () => {
    const text = `["${'['.repeat(100)}\\"${'{'.repeat(100)}"]`;
    expect(skip(text, 1)).toBe(text.length);
  });
});

describe('white space', () => {
  it('is the four characters of JSON and no other', () => {
    expect(skipWhitespace(bytesOf(' \n\r\t1'), 0)).toBe(4);
    expect(skipWhitespace(bytesOf('\u000b1'), 0)).toBe(0);
    expect(skipWhitespace(bytesOf('\u00a01'), 0)).toBe(0);
    expect(skipWhitespace(bytesOf('  '), 0)).toBe(2);
  });
});

describe('time grows with the size alone', () => {
  const SIZE = 5_000_000;
  const adversaries: Record<string, string> = {
    'backslashes in one string': `["${'\\'.repeat(SIZE)}"]`,
    'backslashes before a quote that stays escaped': `["${'\\\\'.repeat(SIZE / 2)}\\""]`,
    'escaped quotes in one string': `["${'\\"'.repeat(SIZE / 2)}"]`,
    'empty strings': `[${'"",'.repeat(SIZE / 3)}""]`,
    'open brackets': '['.repeat(SIZE),
    'brackets in pairs': `[${'[],'.repeat(SIZE / 3)}[]]`,
    'unterminated string': `["${'x'.repeat(SIZE)}`,
    'white space': `[${' '.repeat(SIZE)}]`,
    'one long key': `{"${'k'.repeat(SIZE)}":1}`,
    'many short keys': `{${'"k":0,'.repeat(SIZE / 6)}"k":0}`,
    'many keys that need decoding': `{${'"\\u0069":0,'.repeat(SIZE / 11)}"k":0}`,
    'many keys beyond ASCII': `{${'"é":0,'.repeat(SIZE / 7)}"k":0}`,
  };

  it.each(Object.keys(adversaries))('5 MB of %s', (name) => {
    const bytes = bytesOf(adversaries[name] as string);
    const before = performance.now();
    skipValue(bytes, 0, 128);
    scanArray(bytes, 0, 128, () => undefined);
    scanObject(bytes, 0, 128, (key) => key === 'id');
    const ms = performance.now() - before;
    // Measured: 340 ms for one long key, under 180 ms for the others. Quadratic time takes minutes.
    expect(ms).toBeLessThan(2_000);
  });
});
