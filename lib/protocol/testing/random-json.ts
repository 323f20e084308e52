import type { SeededRandom } from './seeded-random';

const SCALARS = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1e3',
  '1E-7',
  '9007199254740993',
  '-170141183460469231731687303715884105728',
  '1e400',
];
const CHARACTERS = ['a', 'Z', '0', ' ', '{', '}', '[', ']', ',', ':', '/', 'é', 'ÿ', '中', '😀', '\u2028', '\u007f'];
const ESCAPES = [
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\f',
  '\\n',
  '\\r',
  '\\t',
  '\\u0041',
  '\\u00e9',
  '\\ud83d\\ude00',
  '\\ud800',
  '\\u0000',
];
const WHITESPACE = ['', '', '', ' ', '\n', '\r\n', '\t', '  \n '];

/** Returns a random JSON document with all kinds of values, random white space and duplicate keys. */
export function randomJson(random: SeededRandom, depthMax: number): string {
  const blank = () => random.pick(WHITESPACE);
  const kind = depthMax === 0 ? random.integer(0, 1) : random.integer(0, 3);
  if (kind === 0) return random.pick(SCALARS);
  if (kind === 1) return randomJsonString(random);
  const items = Array.from({ length: random.integer(0, 5) }, () => {
    const value = randomJson(random, depthMax - 1);
    return kind === 2
      ? blank() + value + blank()
      : `${blank()}${randomKey(random)}${blank()}:${blank()}${value}${blank()}`;
  });
  const inside = items.join(',') || blank();
  return kind === 2 ? `[${inside}]` : `{${inside}}`;
}

/** Returns a random JSON string with quotes. Some are long, and some are mostly escapes. */
export function randomJsonString(random: SeededRandom): string {
  const length = random.chance(0.1) ? random.integer(40, 120) : random.integer(0, 8);
  const escapes = random.pick([0, 0.2, 0.9]);
  return `"${Array.from({ length }, () => random.pick(random.chance(escapes) ? ESCAPES : CHARACTERS)).join('')}"`;
}

function randomKey(random: SeededRandom): string {
  return random.chance(0.5)
    ? random.pick(['"id"', '"result"', '"error"', '"i\\u0064"', '"__proto__"', '""', '"é"'])
    : randomJsonString(random);
}
