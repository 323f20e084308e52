const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SMALL_E = 0x65;
const SMALL_F = 0x66;
const SMALL_N = 0x6e;
const SMALL_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const DEPTH_MAX = 16;
const WORD = 4;

/** Text of at least four bytes, as 32-bit words. The last word may overlap the previous word. */
interface PlainText {
  length: number;
  words: readonly number[];
}

export function plainText(text: string): PlainText {
  const view = new DataView(Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer);
  const { length } = text;
  const words: number[] = [];
  for (let i = 0; i < length; i += WORD) words.push(view.getInt32(Math.min(i, length - WORD), true));
  return { length, words };
}

const TRUE = plainText('true');
const FALSE = plainText('false');
const NULL = plainText('null');

/**
 * Reads plain JSON: ASCII without whitespace between tokens, escapes in strings or deep nesting. Matched bytes are
 * valid JSON; other bytes may be valid too. Each method moves `at` past the matched bytes. Comparing four bytes at once
 * is three times as fast as comparing single bytes.
 */
export class PlainScan {
  /** Next offset. Unchanged after a mismatch of `text`, `same` or `byte`; unspecified after any other mismatch. */
  at = 0;
  readonly #view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  text({ length, words }: PlainText): boolean {
    const { at } = this;
    const view = this.#view;
    if (at + length > view.byteLength) return false;
    const last = words.length - 1;
    for (let i = 0; i < last; i++) if (view.getInt32(at + i * WORD, true) !== words[i]) return false;
    if (view.getInt32(at + length - WORD, true) !== words[last]) return false;
    this.at = at + length;
    return true;
  }

  /** Matches if the next `length` bytes equal those at `start`. `length` is at least four. */
  same(start: number, length: number): boolean {
    const { at } = this;
    const view = this.#view;
    if (at + length > view.byteLength) return false;
    const last = length - WORD;
    for (let i = 0; i < last; i += WORD)
      if (view.getInt32(at + i, true) !== view.getInt32(start + i, true)) return false;
    if (view.getInt32(at + last, true) !== view.getInt32(start + last, true)) return false;
    this.at = at + length;
    return true;
  }

  byte(expected: number): boolean {
    if (this.at >= this.bytes.length || this.bytes[this.at] !== expected) return false;
    this.at++;
    return true;
  }

  string(): boolean {
    return this.byte(QUOTE) && this.#restOfString();
  }

  integer(): boolean {
    this.byte(MINUS);
    const { bytes, at } = this;
    return this.#digits() && (bytes[at] !== ZERO || this.at === at + 1);
  }

  array(depthMax = DEPTH_MAX): boolean {
    if (!this.byte(OPEN_BRACKET)) return false;
    if (this.byte(CLOSE_BRACKET)) return true;
    do if (!this.value(depthMax - 1)) return false;
    while (this.byte(COMMA));
    return this.byte(CLOSE_BRACKET);
  }

  object(depthMax = DEPTH_MAX): boolean {
    if (!this.byte(OPEN_BRACE)) return false;
    if (this.byte(CLOSE_BRACE)) return true;
    do if (!this.string() || !this.byte(COLON) || !this.value(depthMax - 1)) return false;
    while (this.byte(COMMA));
    return this.byte(CLOSE_BRACE);
  }

  value(depthMax = DEPTH_MAX): boolean {
    if (this.at >= this.bytes.length) return false;
    switch (this.bytes[this.at]) {
      case QUOTE:
        this.at++;
        return this.#restOfString();
      case OPEN_BRACE:
        return depthMax > 0 && this.object(depthMax);
      case OPEN_BRACKET:
        return depthMax > 0 && this.array(depthMax);
      case SMALL_T:
        return this.text(TRUE);
      case SMALL_F:
        return this.text(FALSE);
      case SMALL_N:
        return this.text(NULL);
      default:
        return this.#number();
    }
  }

  #restOfString(): boolean {
    const { bytes } = this;
    const view = this.#view;
    let { at } = this;
    while (at + WORD <= view.byteLength && isInString(view.getInt32(at, true))) at += WORD;
    while (at < bytes.length && isInString((bytes[at] as number) | 0x20202000)) at++;
    this.at = at + 1;
    return at < bytes.length && bytes[at] === QUOTE;
  }

  #number(): boolean {
    if (!this.integer()) return false;
    if (this.byte(DOT) && !this.#digits()) return false;
    if (this.at >= this.bytes.length || ((this.bytes[this.at] as number) | 0x20) !== SMALL_E) return true;
    this.at++;
    if (!this.byte(PLUS)) this.byte(MINUS);
    return this.#digits();
  }

  #digits(): boolean {
    const { bytes } = this;
    const start = this.at;
    let at = start;
    while (at < bytes.length && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
    this.at = at;
    return at > start;
  }
}

/**
 * Returns whether each of the four bytes of a word is printable ASCII and neither a quote nor a backslash. A
 * subtraction sets the high bit of a byte that is less than the subtrahend.
 */
function isInString(word: number): boolean {
  const control = (word - 0x20202020) | 0;
  const quote = ((word ^ 0x22222222) - 0x01010101) | 0;
  const backslash = ((word ^ 0x5c5c5c5c) - 0x01010101) | 0;
  return ((word | control | quote | backslash) & -0x7f7f7f80) === 0;
}
