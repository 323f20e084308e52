import { lookUpMethod } from '../rpc-methods';
import type { RpcAnswer, RpcRequest, RpcRequestBody } from './messages';

/**
 * Patterns of plain JSON: no whitespace between tokens, no escapes in strings, little depth. A match proves valid JSON;
 * a mismatch proves nothing. Matching takes a quarter of the time of parsing and scanning.
 */

/** Longest text to match, because the regular expression engine records every backtracking step. */
const PLAIN_LENGTH_MAX = 65_536;

const PLAIN_STRING = '"[^"\\\\\\x00-\\x1f]*"';
const PLAIN_INTEGER = '-?(?:0|[1-9][0-9]*)';
const SCALAR = `(?:${PLAIN_STRING}|true|false|null|${PLAIN_INTEGER}(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)`;

function plainArray(depth: number): string {
  return `\\[(?:${plainValue(depth - 1)}(?:,(?!\\])|(?=\\])))*\\]`;
}

function plainValue(depth: number): string {
  if (depth === 0) return SCALAR;
  const object = `\\{(?:${PLAIN_STRING}:${plainValue(depth - 1)}(?:,(?!\\})|(?=\\})))*\\}`;
  return `(?:${SCALAR}|${object}|${plainArray(depth)})`;
}

const METHOD = '"method":"([A-Za-z0-9_]{1,256})"';
const PARAMS = `"params":(${plainArray(4)})`;
const REQUEST_ID = `"id":(${PLAIN_STRING}|${PLAIN_INTEGER})`;
const VERSION = '"jsonrpc":"2\\.0"';

/** The two orders in which common clients write the members. */
const VERSION_FIRST = new RegExp(`\\{${VERSION},${REQUEST_ID},${METHOD}(?:,${PARAMS})?\\}`, 'y');
const METHOD_FIRST = new RegExp(`\\{${METHOD},${PARAMS},${REQUEST_ID},${VERSION}\\}`, 'y');

const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Reads the most common bodies: plain JSON with members in a usual order.
 *
 * @returns null for other bodies, which the general reader handles
 */
export function readPlainRequest(text: string, itemsMax: number): RpcRequestBody | null {
  if (text.length > PLAIN_LENGTH_MAX) return null;
  const first = text.charCodeAt(0);
  if (first === OPEN_BRACE) {
    const { item, end } = readItem(text, 0);
    return item && end === text.length ? { batch: false, items: [item] } : null;
  }
  return first === OPEN_BRACKET ? readItems(text, itemsMax) : null;
}

function readItems(text: string, itemsMax: number): RpcRequestBody | null {
  const items: RpcRequest[] = [];
  let at = 1;
  let method = '';
  for (;;) {
    const { item, end } = readItem(text, at);
    if (!item || items.length === itemsMax) return null;
    // Makes equal method names share one string, because the engine compares identical strings by address.
    if (item.method === method) item.method = method;
    else item.method = method = lookUpMethod(item.method).name;
    items.push(item);
    const next = text.charCodeAt(end);
    if (next === CLOSE_BRACKET) return end + 1 === text.length ? { batch: true, items } : null;
    if (next !== COMMA) return null;
    at = end + 1;
  }
}

function readItem(text: string, at: number): { item: RpcRequest | null; end: number } {
  VERSION_FIRST.lastIndex = at;
  const found = VERSION_FIRST.exec(text);
  if (found) return { item: itemOf(found[2], found[3], found[1]), end: VERSION_FIRST.lastIndex };
  METHOD_FIRST.lastIndex = at;
  const other = METHOD_FIRST.exec(text);
  return { item: other && itemOf(other[1], other[2], other[3]), end: METHOD_FIRST.lastIndex };
}

function itemOf(method = '', params = '[]', id = 'null'): RpcRequest {
  return { method, params, paramsByName: false, id };
}

const ANSWER_ID = `(${PLAIN_STRING}|${PLAIN_INTEGER})`;
const RESULT = `(${plainValue(2)})`;
const BEFORE_ID = '{"jsonrpc":"2.0","id":';
const BEFORE_RESULT = ',"result":';
const RESULT_FIRST_HEAD = '{"jsonrpc":"2.0","result":';
const RESPONSE = new RegExp(
  `${BEFORE_ID.replace('{', '\\{').replace('.', '\\.')}${ANSWER_ID}${BEFORE_RESULT}${RESULT}\\}`,
  'y',
);
const RESULT_FIRST = new RegExp(
  `${RESULT_FIRST_HEAD.replace('{', '\\{').replace('.', '\\.')}${RESULT},"id":${ANSWER_ID}\\}`,
  'y',
);

/**
 * Reads a response in the common format: plain JSON with a result. Offsets are in characters.
 *
 * @returns null for other formats, which the general reader handles
 */
export function readPlainAnswer(text: string): RpcAnswer | null {
  if (text.length > PLAIN_LENGTH_MAX) return null;
  // Most answers end directly after the value or with one line break.
  const length = text.endsWith('\n') ? text.length - 1 : text.length;
  const found = readAt(text, 0);
  return found?.end === length ? found.answer : null;
}

export function readPlainAnswers(text: string, itemsMax: number): RpcAnswer[] | null {
  if (text.length > PLAIN_LENGTH_MAX || text.charCodeAt(0) !== OPEN_BRACKET) return null;
  const length = text.endsWith('\n') ? text.length - 1 : text.length;
  const answers: RpcAnswer[] = [];
  let at = 1;
  for (;;) {
    const found = readAt(text, at);
    if (!found || answers.length === itemsMax) return null;
    answers.push(found.answer);
    const next = text.charCodeAt(found.end);
    if (next === CLOSE_BRACKET) return found.end + 1 === length ? answers : null;
    if (next !== COMMA) return null;
    at = found.end + 1;
  }
}

function readAt(text: string, at: number): { answer: RpcAnswer; end: number } | null {
  RESPONSE.lastIndex = at;
  const found = RESPONSE.exec(text);
  if (found) {
    const [, id = '', result = ''] = found;
    const valueStart = at + BEFORE_ID.length + id.length + BEFORE_RESULT.length;
    return {
      answer: { kind: 'result', valueStart, valueEnd: valueStart + result.length, id },
      end: RESPONSE.lastIndex,
    };
  }
  RESULT_FIRST.lastIndex = at;
  const other = RESULT_FIRST.exec(text);
  if (!other) return null;
  const [, result = '', id = ''] = other;
  const valueStart = at + RESULT_FIRST_HEAD.length;
  return {
    answer: { kind: 'result', valueStart, valueEnd: valueStart + result.length, id },
    end: RESULT_FIRST.lastIndex,
  };
}
