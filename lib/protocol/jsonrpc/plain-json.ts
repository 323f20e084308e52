import { lookUpMethod } from '../rpc-methods';
import type { RpcAnswer, RpcRequest, RpcRequestBody } from './messages';
import { plainText, PlainScan } from './plain-scan';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LINE_FEED = 0x0a;

const METHOD_BYTES_MAX = 256;
const IN_METHOD = new Uint8Array(256);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_')
  IN_METHOD[character.charCodeAt(0)] = 1;

const VERSION_BEFORE_ID = plainText('{"jsonrpc":"2.0","id":');
const METHOD_AFTER_ID = plainText(',"method":"');
const METHOD_FIRST = plainText('{"method":"');
const PARAMS = plainText(',"params":');
const ID_AFTER_PARAMS = plainText(',"id":');
const VERSION_AT_END = plainText(',"jsonrpc":"2.0"}');

/**
 * Reads a plain request body (`PlainScan`) whose members are in one of two common orders.
 *
 * @returns null for any other body; the general reader handles it
 */
export function readPlainRequest(bytes: Uint8Array, text: string, itemsMax: number): RpcRequestBody | null {
  // Character offsets equal byte offsets only in ASCII text.
  if (text.length !== bytes.length) return null;
  if (bytes[0] === OPEN_BRACE) {
    const reader = new RequestReader(bytes, text, null);
    const item = reader.item();
    return item && reader.isAtEnd ? { batch: false, items: [item] } : null;
  }
  return bytes[0] === OPEN_BRACKET ? readItems(bytes, text, itemsMax) : null;
}

function readItems(bytes: Uint8Array, text: string, itemsMax: number): RpcRequestBody | null {
  const items: RpcRequest[] = [];
  const ids: number[] = [];
  const reader = new RequestReader(bytes, text, ids);
  const { scan } = reader;
  scan.at = 1;
  do {
    const item = items.length < itemsMax ? reader.item() : null;
    if (item === null) return null;
    items.push(item);
  } while (scan.byte(COMMA));
  if (!scan.byte(CLOSE_BRACKET) || !reader.isAtEnd) return null;
  return reader.hasAllParams ? { batch: true, items, plain: { bytes, ids } } : { batch: true, items };
}

class RequestReader {
  readonly scan: PlainScan;
  hasAllParams = true;
  #method = '';
  #beforeParams = 0;
  #beforeParamsLength = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly text: string,
    /** Collects the offsets of a batch's ids; null for a single request. */
    private readonly ids: number[] | null,
  ) {
    this.scan = new PlainScan(bytes);
  }

  get isAtEnd(): boolean {
    return this.scan.at === this.bytes.length;
  }

  item(): RpcRequest | null {
    return this.scan.text(VERSION_BEFORE_ID) ? this.#idFirst() : this.#methodFirst();
  }

  #idFirst(): RpcRequest | null {
    const { scan } = this;
    const id = this.#id();
    if (id === null) return null;
    // Most batches repeat one method, so compare with the previous item first.
    if (this.#beforeParamsLength === 0 || !scan.same(this.#beforeParams, this.#beforeParamsLength)) {
      const start = scan.at;
      if (!scan.text(METHOD_AFTER_ID) || !this.#readMethod()) return null;
      if (!scan.text(PARAMS)) {
        this.hasAllParams = false;
        return scan.byte(CLOSE_BRACE) ? { method: this.#method, params: '[]', paramsByName: false, id } : null;
      }
      this.#beforeParams = start;
      this.#beforeParamsLength = scan.at - start;
    }
    const params = this.#params();
    return params !== null && scan.byte(CLOSE_BRACE) ? { method: this.#method, params, paramsByName: false, id } : null;
  }

  #methodFirst(): RpcRequest | null {
    const { scan } = this;
    const params = scan.text(METHOD_FIRST) && this.#readMethod() && scan.text(PARAMS) ? this.#params() : null;
    const id = params !== null && scan.text(ID_AFTER_PARAMS) ? this.#id() : null;
    return params !== null && id !== null && scan.text(VERSION_AT_END)
      ? { method: this.#method, params, paramsByName: false, id }
      : null;
  }

  #id(): string | null {
    const { scan, bytes, text } = this;
    const start = scan.at;
    const isId = bytes[start] === QUOTE ? scan.string() : scan.integer();
    if (!isId) return null;
    this.ids?.push(start, scan.at);
    return text.slice(start, scan.at);
  }

  #params(): string | null {
    const { scan, text } = this;
    const start = scan.at;
    return scan.array() ? text.slice(start, scan.at) : null;
  }

  /**
   * Reads a name and its closing quote. In a batch, equal names share one string object, so that the engine can compare
   * them by address instead of by characters.
   */
  #readMethod(): boolean {
    const { scan, bytes, text } = this;
    const start = scan.at;
    let end = start;
    while (end < bytes.length && IN_METHOD[bytes[end] as number] === 1) end++;
    if (end === start || end - start > METHOD_BYTES_MAX) return false;
    this.#beforeParamsLength = 0;
    this.#method = text.slice(start, end);
    if (this.ids) this.#method = lookUpMethod(this.#method).name;
    scan.at = end;
    return scan.byte(QUOTE);
  }
}

const RESULT_AFTER_ID = plainText(',"result":');
const ERROR_AFTER_ID = plainText(',"error":');
const RESULT_BEFORE_ID = plainText('{"jsonrpc":"2.0","result":');

/** Reads a plain response. Returns null for any other; the general reader handles it. */
export function readPlainAnswer(bytes: Uint8Array): RpcAnswer | null {
  const reader = new AnswerReader(bytes);
  const answer = reader.item();
  return answer && reader.isAtEnd ? answer : null;
}

export function readPlainAnswers(bytes: Uint8Array, itemsMax: number): RpcAnswer[] | null {
  const reader = new AnswerReader(bytes);
  const { scan } = reader;
  if (!scan.byte(OPEN_BRACKET)) return null;
  const answers: RpcAnswer[] = [];
  do {
    const answer = answers.length < itemsMax ? reader.item() : null;
    if (answer === null) return null;
    answers.push(answer);
  } while (scan.byte(COMMA));
  return scan.byte(CLOSE_BRACKET) && reader.isAtEnd ? answers : null;
}

const ID_DIGITS_MAX = 15;

class AnswerReader {
  readonly scan: PlainScan;

  constructor(private readonly bytes: Uint8Array) {
    this.scan = new PlainScan(bytes);
  }

  get isAtEnd(): boolean {
    const { scan, bytes } = this;
    scan.byte(LINE_FEED);
    return scan.at === bytes.length;
  }

  item(): RpcAnswer | null {
    const { scan } = this;
    if (scan.text(VERSION_BEFORE_ID)) {
      const id = this.#id();
      if (id === null) return null;
      const kind = scan.text(RESULT_AFTER_ID) ? 'result' : 'error';
      if (kind === 'error' && !scan.text(ERROR_AFTER_ID)) return null;
      const valueStart = scan.at;
      if (!(kind === 'result' ? scan.value() : scan.object())) return null;
      const valueEnd = scan.at;
      return scan.byte(CLOSE_BRACE) ? { kind, valueStart, valueEnd, id } : null;
    }
    if (!scan.text(RESULT_BEFORE_ID)) return null;
    const valueStart = scan.at;
    if (!scan.value()) return null;
    const valueEnd = scan.at;
    const id = scan.text(ID_AFTER_PARAMS) ? this.#id() : null;
    return id !== null && scan.byte(CLOSE_BRACE) ? { kind: 'result', valueStart, valueEnd, id } : null;
  }

  #id(): RpcAnswer['id'] {
    const { scan, bytes } = this;
    const start = scan.at;
    if (!(bytes[start] === QUOTE ? scan.string() : scan.integer())) return null;
    return idAt(bytes, start, scan.at);
  }
}

const ZERO = 0x30;
const NINE = 0x39;

/** Parses the id in this range. Returns a number or the JSON text, as in `RpcAnswer`. */
export function idAt(bytes: Uint8Array, start: number, end: number): string | number {
  let id = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    const isDigit = byte >= ZERO && byte <= NINE;
    if (!isDigit || i === start + ID_DIGITS_MAX || (id === 0 && i > start)) return latin1At(bytes, start, end);
    id = id * 10 + byte - ZERO;
  }
  return id;
}

function latin1At(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] as number);
  return text;
}
