import { keyAt, skipText } from './json-scan';

/** Bytes from 0 to this value count as whitespace, including invalid control characters. */
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Up to this number of names, a list is faster than a set. */
const LISTED_MAX = 8;

/** Fault of a document: too large, or with a duplicate member. */
export type MembersFault =
  | { kind: 'repeated'; path: readonly string[] }
  | { kind: 'too-many' }
  | { kind: 'too-deep' }
  | { kind: 'name-too-long' };

export interface MemberSpan {
  start: number;
  end: number;
}

export interface MemberLimits {
  valuesMax: number;
  membersMax: number;
  depthMax: number;
  /** Longest member name in bytes, before unescaping. */
  nameBytesMax: number;
}

class Container {
  #listed: string[] = [];
  #set: Set<string> | null = null;
  step = '';
  index = 0;

  constructor(readonly isObject: boolean) {}

  get size(): number {
    return this.#set?.size ?? this.#listed.length;
  }

  /** @returns whether the name is a duplicate */
  add(name: string): boolean {
    this.step = name;
    if (this.#set) return this.#set.size === this.#set.add(name).size;
    if (this.#listed.includes(name)) return true;
    this.#listed.push(name);
    if (this.#listed.length > LISTED_MAX) this.#set = new Set(this.#listed);
    return false;
  }
}

/**
 * Scans a JSON document for size, depth and duplicate members (after unescaping), in linear time. JavaScript keeps the
 * last duplicate, but an upstream may keep the first.
 *
 * @param outer map to which the function adds the top-level members, if the document is an object
 * @returns first fault, or null. Also null for invalid JSON, because the parser reports it
 */
export function membersFault(
  bytes: Uint8Array,
  limits: MemberLimits,
  outer: Map<string, MemberSpan> = new Map(),
): MembersFault | null {
  const { valuesMax, membersMax, depthMax, nameBytesMax } = limits;
  const open: Container[] = [];
  /** Offsets of the current outer member's value: its start, and the end of its last token. */
  let start = 0;
  let last = 0;
  const endOuter = (): void => {
    if (open.length !== 1 || !top?.isObject) return;
    if (start > 0) outer.set(top.step, { start, end: last });
    start = 0;
  };
  let top: Container | undefined;
  let values = 0;
  let isName = false;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] as number;
    if (byte <= SPACE) {
      at++;
      continue;
    }
    if (byte === QUOTE) {
      const end = skipText(bytes, at);
      if (end < 0) return null;
      if (isName && top) {
        if (end - at > nameBytesMax + 2) return { kind: 'name-too-long' };
        if (top.size >= membersMax) return { kind: 'too-many' };
        const name = keyAt(bytes, at, end);
        if (name === undefined) return null;
        if (top.add(name)) return { kind: 'repeated', path: pathOf(open) };
        isName = false;
        at = end;
        continue;
      }
      start ||= at;
      at = last = end;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (open.length >= depthMax) return { kind: 'too-deep' };
      if (++values > valuesMax) return { kind: 'too-many' };
      if (open.length > 0) start ||= at;
      top = new Container(byte === OPEN_BRACE);
      open.push(top);
      isName = top.isObject;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      endOuter();
      open.pop();
      top = open.at(-1);
      isName = false;
      last = at + 1;
    } else if (byte === COMMA) {
      if (++values > valuesMax) return { kind: 'too-many' };
      endOuter();
      if (top) top.index++;
      isName = top?.isObject ?? false;
    } else if (byte !== COLON) {
      start ||= at;
      last = at + 1;
    }
    at++;
  }
  return null;
}

function pathOf(open: readonly Container[]): string[] {
  return open.map(({ isObject, step, index }) => (isObject ? step : String(index)));
}
