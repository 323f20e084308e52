import { jsonFaultWords as words } from './json-words';

/** JSON text (RFC 8259) as a syntax tree: numbers as written, members in order with duplicates. */
export type JsonNode =
  | { kind: 'object'; members: readonly (readonly [key: string, value: JsonNode])[] }
  | { kind: 'array'; items: readonly JsonNode[] }
  | { kind: 'string'; value: string }
  | { kind: 'number'; source: string }
  | { kind: 'literal'; value: true | false | null };

/** Syntax error whose message is the same in every browser. `line` and `column` count from 1, `offset` from 0. */
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

/** Returns the syntax tree for display; null if the text is not JSON, nested too deeply, or too long. */
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

/** Notation: JSON, or a Python literal of the same value. */
export type LiteralStyle = 'json' | 'python';

export interface FormatOptions {
  style?: LiteralStyle;
  /** Column up to which a container stays on one line; 0 breaks every non-empty container. */
  widthColumns?: number;
  marginColumns?: number;
}

/** Formats a document with two spaces of indent. Numbers stay as written, so nothing is rounded. */
export function formatJson(
  node: JsonNode,
  { style = 'json', widthColumns = 72, marginColumns = 0 }: FormatOptions = {},
): string {
  return write(node, { style, widthColumns }, marginColumns);
}

interface Layout {
  style: LiteralStyle;
  widthColumns: number;
}

function write(node: JsonNode, layout: Layout, indent: number): string {
  if (node.kind === 'string') return JSON.stringify(node.value);
  if (node.kind === 'number') return node.source;
  if (node.kind === 'literal') return writeLiteral(node.value, layout.style);
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const parts = partsOf(node, layout, indent + 2);
  if (parts.length === 0) return open + close;
  const pad = node.kind === 'object' ? ' ' : '';
  const oneLine = open + pad + parts.join(', ') + pad + close;
  if (indent + oneLine.length <= layout.widthColumns && !oneLine.includes('\n')) return oneLine;
  const margin = ' '.repeat(indent);
  return `${open}\n${parts.map((part) => `${margin}  ${part}`).join(',\n')}\n${margin}${close}`;
}

function partsOf(node: Extract<JsonNode, { kind: 'object' | 'array' }>, layout: Layout, indent: number): string[] {
  if (node.kind === 'array') return node.items.map((item) => write(item, layout, indent));
  return node.members.map(([key, value]) => `${JSON.stringify(key)}: ${write(value, layout, indent)}`);
}

function writeLiteral(value: true | false | null, style: LiteralStyle): string {
  if (style === 'json') return String(value);
  if (value === null) return 'None';
  return value ? 'True' : 'False';
}
