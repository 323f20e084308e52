/**
 * Finds where JSON values start and end, to copy these ranges. Parsing and serializing would change numbers beyond 2^53
 * and the text of ids. The scanner lets any closing bracket close any opening bracket, so code that needs valid JSON
 * must also parse the text.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Results of a scan that does not find the end of the value. */
export const MALFORMED = -1;
export const TOO_DEEP = -2;

/** String length from which `indexOf` finds the closing quote faster than a loop. */
const LONG_STRING = 12;
/** Number of bytes to scan one by one after an escaped quote. */
const ESCAPED_STRETCH = 256;

/** Name length from which the engine's decoder is faster than a loop. */
const LONG_NAME = 256;
const decoder = new TextDecoder();

/** Maps the start of an object or array to its end, if already known. */
export type KnownEnds = ReadonlyMap<number, number>;

/**
 * Returns the offset after the value at `start`. The byte at `start` must not be whitespace.
 *
 * @returns `MALFORMED` if the text ends first, `TOO_DEEP` beyond `maxDepth` nested containers
 */
export function skipValue(bytes: Uint8Array, start: number, maxDepth: number, ends?: KnownEnds): number {
  const first = bytes[start];
  if (first === QUOTE) return skipText(bytes, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return ends?.get(start) ?? skipContainer(bytes, start, maxDepth);
  let i = start;
  while (i < bytes.length && !endsScalar(bytes[i] as number)) i++;
  return i === start ? MALFORMED : i;
}

export function skipWhitespace(bytes: Uint8Array, start: number): number {
  let i = start;
  while (i < bytes.length && isWhitespace(bytes[i] as number)) i++;
  return i;
}

/** Called for each member or item with its JSON key (empty in arrays) and the range of its value. */
type Visit = (key: string, valueStart: number, valueEnd: number) => void;

/**
 * Visits the direct members of the object at `start`.
 *
 * @returns offset after the object, `MALFORMED` or `TOO_DEEP`
 */
export function scanObject(bytes: Uint8Array, start: number, maxDepth: number, visit: Visit, ends?: KnownEnds): number {
  if (bytes[start] !== OPEN_BRACE) return MALFORMED;
  let i = skipWhitespace(bytes, start + 1);
  if (bytes[i] === CLOSE_BRACE) return i + 1;
  for (;;) {
    const keyEnd = bytes[i] === QUOTE ? skipText(bytes, i) : MALFORMED;
    if (keyEnd < 0) return MALFORMED;
    const key = keyAt(bytes, i, keyEnd);
    i = skipWhitespace(bytes, keyEnd);
    if (key === undefined || bytes[i] !== COLON) return MALFORMED;
    i = skipWhitespace(bytes, i + 1);
    const valueEnd = skipValue(bytes, i, maxDepth - 1, ends);
    if (valueEnd < 0) return valueEnd;
    visit(key, i, valueEnd);
    i = skipWhitespace(bytes, valueEnd);
    if (bytes[i] === CLOSE_BRACE) return i + 1;
    if (bytes[i] !== COMMA) return MALFORMED;
    i = skipWhitespace(bytes, i + 1);
  }
}

/**
 * Visits the items of the array at `start`.
 *
 * @returns offset after the array, `MALFORMED` or `TOO_DEEP`
 */
export function scanArray(bytes: Uint8Array, start: number, maxDepth: number, visit: Visit, ends?: KnownEnds): number {
  if (bytes[start] !== OPEN_BRACKET) return MALFORMED;
  let i = skipWhitespace(bytes, start + 1);
  if (bytes[i] === CLOSE_BRACKET) return i + 1;
  for (;;) {
    const valueEnd = skipValue(bytes, i, maxDepth - 1, ends);
    if (valueEnd < 0) return valueEnd;
    visit('', i, valueEnd);
    i = skipWhitespace(bytes, valueEnd);
    if (bytes[i] === CLOSE_BRACKET) return i + 1;
    if (bytes[i] !== COMMA) return MALFORMED;
    i = skipWhitespace(bytes, i + 1);
  }
}

export function kindOfValue(bytes: Uint8Array, start: number): 'object' | 'array' | 'scalar' {
  if (bytes[start] === OPEN_BRACE) return 'object';
  return bytes[start] === OPEN_BRACKET ? 'array' : 'scalar';
}

/** Returns the offset after the string at `start`, or `MALFORMED` if the text ends first. */
export function skipText(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  const loopEnd = Math.min(bytes.length, i + LONG_STRING);
  while (i < loopEnd) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) return i + 1;
    i += byte === BACKSLASH ? 2 : 1;
  }
  return skipLongString(bytes, i);
}

function skipLongString(bytes: Uint8Array, start: number): number {
  let from = start;
  let searchFrom = from;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, searchFrom);
    if (quote < 0) return MALFORMED;
    let backslashes = 0;
    while (quote - 1 - backslashes >= from && bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    // Escaped quotes often come close together. A loop is then faster than repeated calls to `indexOf`.
    const loopEnd = Math.min(bytes.length, quote + 1 + ESCAPED_STRETCH);
    let i = quote + 1;
    while (i < loopEnd) {
      const byte = bytes[i] as number;
      if (byte === QUOTE) return i + 1;
      i += byte === BACKSLASH ? 2 : 1;
    }
    searchFrom = from = i;
  }
}

function skipContainer(bytes: Uint8Array, start: number, maxDepth: number): number {
  let depth = 0;
  let i = start;
  while (i < bytes.length) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      i = skipText(bytes, i);
      if (i < 0) return MALFORMED;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > maxDepth) return TOO_DEEP;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (--depth === 0) return i + 1;
    } else if (BETWEEN_STRINGS[byte] === 0) {
      return MALFORMED;
    }
    i++;
  }
  return MALFORMED;
}

/** Characters of JSON outside strings, except brackets: numbers, literals, separators, whitespace. */
export const BETWEEN_STRINGS_TEXT = '0123456789+-.eEtrufalsn,: \t\n\r';
const BETWEEN_STRINGS = new Uint8Array(256);
for (const character of BETWEEN_STRINGS_TEXT) BETWEEN_STRINGS[character.charCodeAt(0)] = 1;

/** Decodes the quoted name in this range; undefined for an invalid JSON string. */
export function keyAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > LONG_NAME) return parseKey(bytes.subarray(start, end));
  let text = '';
  for (let i = start + 1; i < end - 1; i++) {
    const byte = bytes[i] as number;
    if (byte === BACKSLASH || byte > 0x7e) return parseKey(bytes.subarray(start, end));
    text += String.fromCharCode(byte);
  }
  return text;
}

function parseKey(quoted: Uint8Array): string | undefined {
  try {
    return JSON.parse(decoder.decode(quoted)) as string;
  } catch {
    return undefined;
  }
}

function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function endsScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isWhitespace(byte);
}
