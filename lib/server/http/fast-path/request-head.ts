const METHOD = Buffer.from('POST ');
const VERSION = Buffer.from(' HTTP/1.1\r\n');
const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const COLON = 0x3a;
const LAST_VISIBLE = 0x7e;
const HEAD_BYTES_MAX = 16_384;
const HEADERS_MAX = 40;
/** Maximum digits of Content-Length. A longer body cannot arrive in one read together with its head. */
const LENGTH_DIGITS_MAX = 7;

/**
 * Headers that change the meaning of a request or the place where it ends. A request with any of these headers goes to
 * node:http.
 */
const UNUSUAL = ['transfer-encoding', 'expect', 'upgrade', 'trailer', 'te', 'keep-alive', 'proxy-connection'];

/**
 * Head of the simplest request: POST, HTTP/1.1, a path without escapes or query, unique headers of visible ASCII, and a
 * complete body with Content-Length. Accepts only requests that node:http would parse in the same way.
 */
export class RequestHead {
  readonly path: string;
  readonly bodyStart: number;
  readonly bodyEnd: number;

  private constructor(
    private readonly text: string,
    /** Four offsets per header: start and end of name and value. */
    private readonly places: readonly number[],
    path: string,
    bodyStart: number,
    bodyEnd: number,
  ) {
    this.path = path;
    this.bodyStart = bodyStart;
    this.bodyEnd = bodyEnd;
  }

  /**
   * Parses the request at the start of the bytes.
   * @param prefixes prefixes of the paths to serve
   * @returns null for any other request, and for a malformed or incomplete request
   */
  static read(bytes: Buffer, prefixes: readonly string[]): RequestHead | null {
    const end = Math.min(bytes.length, HEAD_BYTES_MAX);
    const pathEnd = endOfPath(bytes, prefixes, end);
    if (pathEnd < 0) return null;
    const places: number[] = [];
    const bodyStart = readHeaders(bytes, pathEnd + VERSION.length, end, places);
    if (bodyStart < 0) return null;
    const text = bytes.toString('latin1', 0, bodyStart);
    // Copies the path, because a slice would keep the whole head in memory.
    const path = bytes.toString('latin1', METHOD.length, pathEnd);
    const head = new RequestHead(text, places, path, bodyStart, bodyStart);
    if (!head.#isUsual()) return null;
    const length = head.#bodyLength();
    if (length < 0 || bodyStart + length > bytes.length) return null;
    return new RequestHead(text, places, path, bodyStart, bodyStart + length);
  }

  header(name: string): string | null {
    const { places, text } = this;
    for (let i = 0; i < places.length; i += 4) {
      const start = places[i] as number;
      if ((places[i + 1] as number) - start === name.length && isNamed(text, start, name))
        return text.slice(places[i + 2], places[i + 3]);
    }
    return null;
  }

  headerNames(): string[] {
    const { places, text } = this;
    const names: string[] = [];
    for (let i = 0; i < places.length; i += 4) names.push(text.slice(places[i], places[i + 1]).toLowerCase());
    return names;
  }

  #isUsual(): boolean {
    const { places, text } = this;
    for (let i = 0; i < places.length; i += 4) {
      const length = (places[i + 1] as number) - (places[i] as number);
      const name = UNUSUAL_LENGTHS.has(length) ? text.slice(places[i], places[i + 1]).toLowerCase() : '';
      if (UNUSUAL.includes(name)) return false;
      for (let j = 0; j < i; j += 4) if (this.#isSameName(i, j)) return false;
    }
    const connection = this.header('connection');
    return this.header('host') !== null && (connection === null || connection.toLowerCase() === 'keep-alive');
  }

  #isSameName(i: number, j: number): boolean {
    const { places, text } = this;
    const [startOfI, startOfJ] = [places[i] as number, places[j] as number];
    const length = (places[i + 1] as number) - startOfI;
    if (length !== (places[j + 1] as number) - startOfJ) return false;
    for (let at = 0; at < length; at++)
      if ((text.charCodeAt(startOfI + at) | 0x20) !== (text.charCodeAt(startOfJ + at) | 0x20)) return false;
    return true;
  }

  #bodyLength(): number {
    const value = this.header('content-length');
    return value !== null && value.length <= LENGTH_DIGITS_MAX && /^\d+$/.test(value) ? Number(value) : -1;
  }
}

const UNUSUAL_LENGTHS = new Set(UNUSUAL.map(({ length }) => length));

function endOfPath(bytes: Buffer, prefixes: readonly string[], end: number): number {
  for (let i = 0; i < METHOD.length; i++) if (bytes[i] !== METHOD[i]) return -1;
  const prefix = prefixes.find((each) => isAt(each, bytes, METHOD.length));
  if (prefix === undefined) return -1;
  let at = METHOD.length + prefix.length;
  while (at < end && IN_PATH[bytes[at] as number] === 1) at++;
  if (at + VERSION.length > end) return -1;
  for (let i = 0; i < VERSION.length; i++) if (bytes[at + i] !== VERSION[i]) return -1;
  return at;
}

function isAt(text: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** @returns index after the empty line that ends the head; negative if a header is unusual */
function readHeaders(bytes: Buffer, start: number, end: number, places: number[]): number {
  let at = start;
  while (at + 1 < end && places.length <= HEADERS_MAX * 4) {
    if (bytes[at] === CR) return bytes[at + 1] === LF ? at + 2 : -1;
    const nameStart = at;
    while (at < end && IN_NAME[bytes[at] as number] === 1) at++;
    if (at === nameStart || bytes[at] !== COLON) return -1;
    const nameEnd = at++;
    while (bytes[at] === SPACE) at++;
    const valueStart = at;
    while (at < end && (bytes[at] as number) >= SPACE && (bytes[at] as number) <= LAST_VISIBLE) at++;
    if (at + 1 >= end || bytes[at] !== CR || bytes[at + 1] !== LF) return -1;
    let valueEnd = at;
    while (valueEnd > valueStart && bytes[valueEnd - 1] === SPACE) valueEnd--;
    places.push(nameStart, nameEnd, valueStart, valueEnd);
    at += 2;
  }
  return -1;
}

function isNamed(text: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) if ((text.charCodeAt(start + i) | 0x20) !== name.charCodeAt(i)) return false;
  return true;
}

const LETTERS_AND_DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
/**
 * Letters, digits and hyphens. Setting bit 0x20 turns capital letters into small letters and changes no other
 * character.
 */
const IN_NAME = tableOf(`${LETTERS_AND_DIGITS}-`);
const IN_PATH = tableOf(`${LETTERS_AND_DIGITS}-_`);

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
