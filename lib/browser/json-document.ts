import { jsonFaultWords as words } from './words/json-faults';

/**
 * JSON text (RFC 8259) as a syntax tree: numbers as written, members in order with duplicates. Errors have a sentence
 * with line and column that is the same in every browser.
 */
export type JsonNode =
  | { kind: 'object'; members: readonly (readonly [key: string, value: JsonNode])[] }
  | { kind: 'array'; items: readonly JsonNode[] }
  | { kind: 'string'; value: string }
  | { kind: 'number'; source: string }
  | { kind: 'literal'; value: true | false | null };

/** Syntax error with its position. `line` and `column` count from 1, `offset` from 0. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';

  constructor(
    readonly problem: string,
    readonly offset: number,
    readonly line: number,
    readonly column: number,
  ) {
    super(`Line ${line}, column ${column}: ${problem}`);
  }
}

const DEPTH_MAX = 1000;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WHITESPACE = /[ \t\n\r]*/y;
const WORD = /[A-Za-z_$][\w$]*/y;

/** Parses `text`. @throws JsonSyntaxError at the first fault, and beyond 1000 levels of nesting */
export function parseJsonDocument(text: string): JsonNode {
  const reader = new Reader(text);
  const node = readValue(reader, 0);
  reader.skipWhitespace();
  if (reader.offset < text.length) reader.fail(words.textAfterEnd);
  return node;
}

/** Length above which a document would block the page. */
const TREE_CHARACTERS_MAX = 8_000_000;

/**
 * Returns the syntax tree for display; null if the text is not JSON, nested too deeply, or beyond 8 million characters.
 */
export function readTree(text: string): JsonNode | null {
  if (text.length > TREE_CHARACTERS_MAX) return null;
  try {
    return parseJsonDocument(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}

class Reader {
  offset = 0;
  constructor(private readonly text: string) {}

  peek(): string {
    return this.text.charAt(this.offset);
  }

  skipWhitespace(): void {
    this.match(WHITESPACE);
  }

  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.offset += found.length;
    return found;
  }

  accept(character: string): boolean {
    if (this.peek() !== character) return false;
    this.offset++;
    return true;
  }

  fail(problem: string, at: number = this.offset): never {
    const before = this.text.slice(0, at);
    const lineStart = before.lastIndexOf('\n') + 1;
    throw new JsonSyntaxError(problem, at, before.split('\n').length, at - lineStart + 1);
  }
}

function readValue(reader: Reader, depth: number): JsonNode {
  if (depth > DEPTH_MAX) reader.fail(words.tooDeep(DEPTH_MAX));
  reader.skipWhitespace();
  if (reader.accept('{')) return readObject(reader, depth);
  if (reader.accept('[')) return readArray(reader, depth);
  if (reader.peek() === '"') return { kind: 'string', value: readString(reader) };
  return readNumber(reader) ?? readLiteral(reader);
}

function readObject(reader: Reader, depth: number): JsonNode {
  const members: [string, JsonNode][] = [];
  reader.skipWhitespace();
  if (reader.accept('}')) return { kind: 'object', members };
  for (;;) {
    reader.skipWhitespace();
    if (reader.peek() === '}') reader.fail(words.memberAfterComma);
    if (reader.peek() !== '"') reader.fail(reader.peek() === '' ? words.endInObject : words.noMemberName);
    const key = readString(reader);
    reader.skipWhitespace();
    if (!reader.accept(':')) reader.fail(words.noColon(key));
    members.push([key, readValue(reader, depth + 1)]);
    reader.skipWhitespace();
    if (reader.accept('}')) return { kind: 'object', members };
    if (!reader.accept(',')) reader.fail(reader.peek() === '' ? words.endInObject : words.noCommaInObject);
  }
}

function readArray(reader: Reader, depth: number): JsonNode {
  const items: JsonNode[] = [];
  reader.skipWhitespace();
  if (reader.accept(']')) return { kind: 'array', items };
  for (;;) {
    items.push(readValue(reader, depth + 1));
    reader.skipWhitespace();
    if (reader.accept(']')) return { kind: 'array', items };
    if (!reader.accept(',')) reader.fail(reader.peek() === '' ? words.endInArray : words.noCommaInArray);
    reader.skipWhitespace();
    if (reader.peek() === ']') reader.fail(words.itemAfterComma);
  }
}

function readString(reader: Reader): string {
  const start = reader.offset;
  const quoted = reader.match(STRING);
  if (quoted === null) return reader.fail(words.openString, start);
  return JSON.parse(quoted) as string;
}

function readNumber(reader: Reader): JsonNode | null {
  const start = reader.offset;
  const source = reader.match(NUMBER);
  if (source === null) return null;
  if (/[\w.+]/.test(reader.peek())) reader.fail(words.badNumber, start);
  return { kind: 'number', source };
}

function readLiteral(reader: Reader): JsonNode {
  const start = reader.offset;
  const word = reader.match(WORD);
  if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' };
  if (word === 'null') return { kind: 'literal', value: null };
  if (word !== null) return reader.fail(words.bareWord(word.slice(0, 40)), start);
  if (reader.peek() === '') return reader.fail(words.endBeforeValue);
  if (reader.peek() === "'") return reader.fail(words.singleQuotes);
  return reader.fail(words.noValue(reader.peek()));
}
