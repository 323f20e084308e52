/**
 * Patterns of plain JSON: no whitespace between tokens, no escapes in strings, little depth. A match proves valid JSON;
 * a mismatch proves nothing. Matching takes a quarter of the time of parsing and scanning.
 */

/** Longest text to match, because the regular expression engine records every backtracking step. */
export const PLAIN_LENGTH_MAX = 65_536;

export const PLAIN_STRING = '"[^"\\\\\\x00-\\x1f]*"';
export const PLAIN_INTEGER = '-?(?:0|[1-9][0-9]*)';
const SCALAR = `(?:${PLAIN_STRING}|true|false|null|${PLAIN_INTEGER}(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)`;

export function plainArray(depth: number): string {
  return `\\[(?:${plainValue(depth - 1)}(?:,(?!\\])|(?=\\])))*\\]`;
}

/** Pattern of a value with at most `depth` levels of arrays and objects. */
export function plainValue(depth: number): string {
  if (depth === 0) return SCALAR;
  const object = `\\{(?:${PLAIN_STRING}:${plainValue(depth - 1)}(?:,(?!\\})|(?=\\})))*\\}`;
  return `(?:${SCALAR}|${object}|${plainArray(depth)})`;
}
