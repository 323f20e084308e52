export const INCOMPLETE = -1;
export const NO_HTTP = -2;

/** Marks a body without a stated length. Such a body ends when the connection closes. */
export const UNTIL_CLOSE = -1;
export const CHUNKED = -2;

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const COLON = 0x3a;
const ZERO = 0x30;
const VERSION = Buffer.from('HTTP/1.');
const STATUS_AT = 9;
const LENGTH_DIGITS_MAX = 15;

/**
 * Strict parser of status lines and headers (RFC 9112). Refuses answers that another parser could read differently.
 * Lines must end with CR LF, and names must be tokens. Folded lines and conflicting lengths are refused. One object
 * parses all answers of a connection, and its fields describe the latest answer.
 */
export class AnswerHead {
  status = 0;
  /** Number of bytes in the body, or `UNTIL_CLOSE`, or `CHUNKED`. */
  length = UNTIL_CLOSE;
  keepAlive = false;
  /** Keep-alive timeout in seconds that the server announces; null if none. */
  idleSeconds: number | null = null;
  retryAfter: string | undefined;
  #hasLength = false;
  #isChunked = false;

  /** @returns `INCOMPLETE`, `NO_HTTP`, or the index after the head */
  read(bytes: Buffer, start: number, end: number): number {
    let at = this.#readStatusLine(bytes, start, end);
    this.length = UNTIL_CLOSE;
    this.idleSeconds = null;
    this.retryAfter = undefined;
    this.#hasLength = false;
    this.#isChunked = false;
    while (at >= 0) {
      if (at + 1 >= end) return INCOMPLETE;
      if (bytes[at] === CR) return bytes[at + 1] === LF ? this.#finish(at + 2) : NO_HTTP;
      at = this.#readHeader(bytes, at, end);
    }
    return at;
  }

  #readStatusLine(bytes: Buffer, start: number, end: number): number {
    for (let i = 0; i < VERSION.length; i++) {
      if (start + i >= end) return INCOMPLETE;
      if (bytes[start + i] !== VERSION[i]) return NO_HTTP;
    }
    if (start + STATUS_AT + 4 > end) return INCOMPLETE;
    const minor = bytes[start + VERSION.length];
    if ((minor !== ZERO && minor !== ZERO + 1) || bytes[start + STATUS_AT - 1] !== SPACE) return NO_HTTP;
    this.keepAlive = minor === ZERO + 1;
    this.status = 0;
    for (let i = start + STATUS_AT; i < start + STATUS_AT + 3; i++) {
      const digit = (bytes[i] as number) - ZERO;
      if (digit < 0 || digit > 9) return NO_HTTP;
      this.status = this.status * 10 + digit;
    }
    const after = bytes[start + STATUS_AT + 3];
    if (this.status < 100 || (after !== SPACE && after !== CR)) return NO_HTTP;
    return endOfLine(bytes, start + STATUS_AT + 3, end);
  }

  #readHeader(bytes: Buffer, start: number, end: number): number {
    let colon = start;
    while (colon < end && TOKEN[bytes[colon] as number] === 1) colon++;
    if (colon === end) return INCOMPLETE;
    if (colon === start || bytes[colon] !== COLON) return NO_HTTP;
    const next = endOfLine(bytes, colon + 1, end);
    if (next < 0) return next;
    switch (colon - start) {
      case 'connection'.length:
        return this.#readOption(bytes, start, colon, next);
      case 'retry-after'.length:
        if (isNamed(bytes, start, 'retry-after')) this.retryAfter = valueOf(bytes, colon, next);
        return next;
      case 'content-length'.length:
        return isNamed(bytes, start, 'content-length') && !this.#takeLength(valueOf(bytes, colon, next))
          ? NO_HTTP
          : next;
      case 'transfer-encoding'.length:
        return isNamed(bytes, start, 'transfer-encoding') && !this.#takeEncoding(valueOf(bytes, colon, next))
          ? NO_HTTP
          : next;
      default:
        return next;
    }
  }

  #readOption(bytes: Buffer, start: number, colon: number, next: number): number {
    if (isNamed(bytes, start, 'connection')) {
      const options = valueOf(bytes, colon, next).toLowerCase();
      if (options === 'keep-alive') this.keepAlive = true;
      else if (options.includes('close')) this.keepAlive = false;
    } else if (isNamed(bytes, start, 'keep-alive')) {
      const seconds = /(?:^|[\s,])timeout=(\d{1,9})/i.exec(valueOf(bytes, colon, next))?.[1];
      if (seconds !== undefined) this.idleSeconds = Number(seconds);
    }
    return next;
  }

  #takeLength(value: string): boolean {
    if (!/^\d+$/.test(value) || value.length > LENGTH_DIGITS_MAX) return false;
    const length = Number(value);
    if (this.#hasLength && this.length !== length) return false;
    this.#hasLength = true;
    this.length = length;
    return true;
  }

  /** Accepts only `chunked`, because the gateway asks for no other transfer coding (RFC 9112, section 6.1). */
  #takeEncoding(value: string): boolean {
    this.#isChunked = value.toLowerCase() === 'chunked';
    return this.#isChunked;
  }

  /**
   * Transfer-Encoding takes precedence over Content-Length (section 6.3). After an answer with both headers, the
   * connection is not reused.
   */
  #finish(at: number): number {
    if (this.#isChunked && this.#hasLength) this.keepAlive = false;
    if (this.#isChunked) this.length = CHUNKED;
    if (this.status < 200 || this.status === 204 || this.status === 304) this.length = 0;
    if (this.length === UNTIL_CLOSE) this.keepAlive = false;
    return at;
  }
}

/** Bytes allowed in a token (RFC 9110, section 5.6.2). */
const TOKEN = new Uint8Array(256);
for (const character of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
  TOKEN[character.charCodeAt(0)] = 1;

function endOfLine(bytes: Buffer, from: number, end: number): number {
  for (let i = from; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= SPACE) continue;
    if (byte === CR) {
      if (i + 1 === end) return INCOMPLETE;
      return bytes[i + 1] === LF ? i + 2 : NO_HTTP;
    }
    if (byte !== TAB) return NO_HTTP;
  }
  return INCOMPLETE;
}

function isNamed(bytes: Buffer, start: number, name: string): boolean {
  // Setting bit 0x20 turns a capital letter into a small letter. No other token byte becomes a letter or hyphen.
  for (let i = 0; i < name.length; i++) if (((bytes[start + i] as number) | 0x20) !== name.charCodeAt(i)) return false;
  return true;
}

function valueOf(bytes: Buffer, colon: number, next: number): string {
  return bytes.toString('latin1', colon + 1, next - 2).trim();
}
