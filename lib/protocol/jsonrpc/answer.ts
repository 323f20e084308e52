import { kindOfValue, type KnownEnds, MALFORMED, scanArray, scanObject, skipWhitespace } from '../json-scan';
import { DOCUMENT_DEPTH_MAX, type JsonStructure } from '../json-structure/structure-scan';
import { idAt, readPlainAnswer, readPlainAnswers } from './plain-json';
import type { RpcAnswer } from './messages';

/** Answers up to this size are parsed. Larger answers are only scanned, so their JSON may be invalid. */
export const PARSE_BYTES_MAX = 65_536;

const decoder = new TextDecoder();

/**
 * Reads a single JSON-RPC response. A non-null `error` makes the response an error; otherwise it needs a `result`.
 *
 * @param structure result of scanning the bytes as they arrived; null if they were not scanned
 * @returns null if the bytes are not a response: not JSON, truncated, an array, or an object with neither `error` nor
 * `result`, or with a malformed `error`
 */
export function readAnswer(bytes: Uint8Array, structure: JsonStructure | null = null): RpcAnswer | null {
  if (structure?.isWhole === false) return null;
  const plain = bytes.length <= PARSE_BYTES_MAX ? readPlainAnswer(bytes) : null;
  if (plain) return plain;
  const text = textOf(bytes);
  const start = skipWhitespace(bytes, 0);
  const found = readAnswerAt(bytes, start, structure?.ends);
  if (found === null || skipWhitespace(bytes, found.end) !== bytes.length) return null;
  return text === null || isParsable(text) ? found.answer : null;
}

/**
 * Reads an array of JSON-RPC responses in order, with `structure` as in `readAnswer`.
 *
 * @returns null if the bytes are not an array of at most `itemsMax` responses
 */
export function readBatchAnswer(
  bytes: Uint8Array,
  itemsMax: number,
  structure: JsonStructure | null = null,
): RpcAnswer[] | null {
  if (structure?.isWhole === false) return null;
  const plain = bytes.length <= PARSE_BYTES_MAX ? readPlainAnswers(bytes, itemsMax) : null;
  if (plain) return plain;
  const text = textOf(bytes);
  const answers: RpcAnswer[] = [];
  let sound = true;
  const visit = (_key: string, valueStart: number): void => {
    const found = answers.length < itemsMax ? readAnswerAt(bytes, valueStart, structure?.ends) : null;
    if (found === null) sound = false;
    else answers.push(found.answer);
  };
  const end = scanArray(bytes, skipWhitespace(bytes, 0), DOCUMENT_DEPTH_MAX, visit, structure?.ends);
  if (!sound || end < 0 || skipWhitespace(bytes, end) !== bytes.length) return null;
  return text === null || isParsable(text) ? answers : null;
}

function readAnswerAt(bytes: Uint8Array, start: number, ends?: KnownEnds): { answer: RpcAnswer; end: number } | null {
  if (kindOfValue(bytes, start) !== 'object') return null;
  let resultStart: number = MALFORMED;
  let resultEnd: number = MALFORMED;
  let errorStart: number = MALFORMED;
  let errorEnd: number = MALFORMED;
  let id: RpcAnswer['id'] = null;
  const visit = (key: string, valueStart: number, valueEnd: number): void => {
    if (key === 'result') {
      resultStart = valueStart;
      resultEnd = valueEnd;
    } else if (key === 'error') {
      errorStart = valueStart;
      errorEnd = valueEnd;
    } else if (key === 'id') {
      id = idAt(bytes, valueStart, valueEnd);
    }
  };
  const end = scanObject(bytes, start, DOCUMENT_DEPTH_MAX, visit, ends);
  if (end < 0) return null;
  if (errorStart >= 0 && !isNull(bytes, errorStart, errorEnd)) {
    if (kindOfValue(bytes, errorStart) !== 'object') return null;
    return { answer: { kind: 'error', valueStart: errorStart, valueEnd: errorEnd, id }, end };
  }
  if (resultStart < 0) return null;
  return { answer: { kind: 'result', valueStart: resultStart, valueEnd: resultEnd, id }, end };
}

function isNull(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 4 && idAt(bytes, start, end) === 'null';
}

function textOf(bytes: Uint8Array): string | null {
  return bytes.length > PARSE_BYTES_MAX ? null : decoder.decode(bytes);
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
