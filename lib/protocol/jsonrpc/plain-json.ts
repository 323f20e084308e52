/**
 * Patterns of plain JSON: without white space between tokens, without escapes in strings, and of little depth. They
 * match nothing that is no JSON, so what they match whole needs no other proof; what they do not match may be JSON
 * all the same. One pass of a pattern costs a quarter of parsing and scanning for places.
 */

/** Text beyond this is not matched: patterns keep a note of each step that they might take back. */
export const PLAIN_LENGTH_MAX = 65_536;

export const PLAIN_STRING = '"[^"\\\\\\x00-\\x1f]*"';
export const PLAIN_INTEGER = '-?(?:0|[1-9][0-9]*)';
const SCALAR = `(?:${PLAIN_STRING}|true|false|null|${PLAIN_INTEGER}(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)`;

/** An array of such values. */
export function plainArray(depth: number): string {
  return `\\[(?:${plainValue(depth - 1)}(?:,(?!\\])|(?=\\])))*\\]`;
}

/** Any value with at most so many levels of arrays and objects. */
export function plainValue(depth: number): string {
  if (depth === 0) return SCALAR;
  const object = `\\{(?:${PLAIN_STRING}:${plainValue(depth - 1)}(?:,(?!\\})|(?=\\})))*\\}`;
  return `(?:${SCALAR}|${object}|${plainArray(depth)})`;
}
