import { PLAIN_INTEGER, PLAIN_LENGTH_MAX, PLAIN_STRING, plainValue } from './plain-json';
import type { RpcAnswer } from './rpc-answer';

const ID = `(${PLAIN_STRING}|${PLAIN_INTEGER})`;
const RESULT = `(${plainValue(2)})`;
const BEFORE_ID = '{"jsonrpc":"2.0","id":';
const BEFORE_RESULT = ',"result":';
const RESULT_FIRST_HEAD = '{"jsonrpc":"2.0","result":';
const RESPONSE = new RegExp(
  `${BEFORE_ID.replace('{', '\\{').replace('.', '\\.')}${ID}${BEFORE_RESULT}${RESULT}\\}`,
  'y',
);
const RESULT_FIRST = new RegExp(
  `${RESULT_FIRST_HEAD.replace('{', '\\{').replace('.', '\\.')}${RESULT},"id":${ID}\\}`,
  'y',
);

const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Reads a response in the common format: plain JSON with a result. Offsets are in characters.
 *
 * @returns null for other formats, which the general reader handles
 */
export function readPlainAnswer(text: string): RpcAnswer | null {
  if (text.length > PLAIN_LENGTH_MAX) return null;
  // Most answers end with a line break or directly after the value.
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
