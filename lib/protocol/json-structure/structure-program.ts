import { BETWEEN_STRINGS_TEXT } from '../json-scan';
import { type Code, I32, I64, type Local, Locals, moduleBytes, op, V128 } from './wasm-code';

/** Addresses of the scan's state, which consists of 32-bit words at the start of the program's memory. */
export const STATE = { inString: 0, escaped: 4, depth: 8, position: 12, starts: 16, spans: 32 } as const;
export const STATE_BYTES = 36;
/** Address of the completed spans, which are pairs of offsets. */
export const SPANS_AT = 64;
/** Maximum nesting depth of containers whose spans are reported. */
const SPAN_DEPTH_MAX = 3;
const SPAN_BYTES_MIN = 1_024;
/** Maximum number of bytes that one call of `run` scans. */
export const STRETCH_BYTES_MAX = 65_536;
/** Addresses of the two input buffers: one can be filled while the other is scanned. */
export const STRETCHES_AT = [4_096, 4_096 + STRETCH_BYTES_MAX] as const;
const PAGES = 3;

const OK = 0;
export const MALFORMED = 1;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE_BIT = 0x20;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BLOCK = 64;

const { i32, i64, v128, i8x16 } = op;
const EVEN_BITS = i64.const(0x5555_5555_5555_5555n);
const ZERO = i64.const(0n);
const ONE = i64.const(1n);
const ALL = i64.const(-1n);

/**
 * Builds a WebAssembly module that scans JSON structure. `run(start, length)` scans a part of the module's memory and
 * continues from the stored state. It returns `MALFORMED` for an invalid byte outside strings, an unmatched closing
 * bracket, or a depth beyond `depthMax`. It processes 64 bytes at a time with one bit per byte, as in "Parsing
 * Gigabytes of JSON per Second" (Langdale and Lemire, 2019).
 */
export function structureProgram(depthMax: number): Uint8Array<ArrayBuffer> {
  const locals = new Locals([I32, I32]);
  const at = locals.parameter(0);
  const length = locals.parameter(1);
  const vectors = Array.from({ length: 4 }, () => locals.add(V128));
  const [end, left, depth, origin, inString, escaped, valid, quotes] = [
    ...Array.from({ length: 4 }, () => locals.add(I32)),
    ...Array.from({ length: 4 }, () => locals.add(I64)),
  ] as [Local, Local, Local, Local, Local, Local, Local, Local];
  const ask = (question: (vector: Code) => Code): Code => bitsOf(vectors.map((vector) => question(vector.get)));
  const outside = locals.add(I64);
  const body: Code = [
    end.set(i32.add(at.get, length.get)),
    depth.set(load(STATE.depth)),
    origin.set(i32.sub(load(STATE.position), at.get)),
    inString.set(i64.extendI32S(load(STATE.inString))),
    escaped.set(i64.extendI32U(load(STATE.escaped))),
    op.while(i32.ltS(at.get, end.get), [
      left.set(i32.sub(end.get, at.get)),
      valid.set(ALL),
      op.if(i32.ltS(left.get, i32.const(BLOCK)), valid.set(i64.sub(i64.shl(ONE, i64.extendI32U(left.get)), ONE))),
      vectors.map((vector, index) => vector.set(v128.load(at.get, index * 16))),
      quotes.set(
        i64.and(
          ask((bytes) => i8x16.eq(bytes, op.bytes(QUOTE))),
          valid.get,
        ),
      ),
      takeEscapes({ locals, ask, quotes, escaped, valid, left }),
      outside.set(i64.and(i64.xor(insideOf({ locals, quotes, inString }), ALL), valid.get)),
      op.if(i64.ne(outside.get, ZERO), [
        op.if(
          i64.ne(i64.and(i64.and(ask(isForeign), outside.get), i64.xor(quotes.get, ALL)), ZERO),
          op.return(i32.const(MALFORMED)),
        ),
        countBrackets({ locals, ask, outside, depth, position: i32.add(origin.get, at.get), depthMax }),
      ]),
      at.set(i32.add(at.get, i32.const(BLOCK))),
    ]),
    store(STATE.depth, depth.get),
    store(STATE.position, i32.add(origin.get, end.get)),
    store(STATE.inString, i32.wrapI64(inString.get)),
    store(STATE.escaped, i32.wrapI64(escaped.get)),
    i32.const(OK),
  ];
  return moduleBytes(locals, body, PAGES);
}

function load(field: number): Code {
  return i32.load(i32.const(0), field);
}

function store(field: number, value: Code): Code {
  return i32.store(i32.const(0), value, field);
}

/** Packs the results of four vector comparisons into a 64-bit word. */
function bitsOf(answers: readonly Code[]): Code {
  const words = answers.map((answer, index) =>
    i64.shl(i64.extendI32U(i8x16.bitmask(answer)), i64.const(BigInt(index * 16))),
  );
  return words.reduce((all, word) => i64.or(all, word));
}

/** Finds the bytes that are invalid in JSON outside strings. Looks up each byte's lower and upper nibble in a table. */
function isForeign(bytes: Code): Code {
  const lower = Array<number>(16).fill(0);
  const upper = Array<number>(16).fill(0);
  for (const character of `${BETWEEN_STRINGS_TEXT}{}[]`) {
    const byte = character.charCodeAt(0);
    // Each upper nibble has its own bit. ASCII has only eight upper nibbles, so one byte suffices.
    upper[byte >> 4] = 1 << (byte >> 4);
    lower[byte & 15] = (lower[byte & 15] as number) | (1 << (byte >> 4));
  }
  const known = v128.and(
    i8x16.swizzle(v128.const(lower), v128.and(bytes, op.bytes(0x0f))),
    i8x16.swizzle(v128.const(upper), i8x16.shrU(bytes, i32.const(4))),
  );
  return i8x16.eq(known, op.bytes(0));
}

interface EscapeParts {
  locals: Locals;
  ask: (question: (vector: Code) => Code) => Code;
  quotes: Local;
  /** 1 if the next block's first byte is escaped, else 0. */
  escaped: Local;
  valid: Local;
  left: Local;
}

/** Removes escaped quotes from `quotes`. A quote is escaped after an odd number of backslashes. */
function takeEscapes({ locals, ask, quotes, escaped, valid, left }: EscapeParts): Code {
  const backslashes = locals.add(I64);
  const follows = locals.add(I64);
  const sum = locals.add(I64);
  return [
    backslashes.set(
      i64.and(
        ask((bytes) => i8x16.eq(bytes, op.bytes(BACKSLASH))),
        valid.get,
      ),
    ),
    op.if(i64.ne(i64.or(backslashes.get, escaped.get), ZERO), [
      // Ignores a first backslash that the previous block escapes. In a run of backslashes, every second byte is
      // escaped. The addition clears the runs that start at odd positions. One XOR with the even bits then finds the
      // escaped bytes of all runs.
      backslashes.set(i64.and(backslashes.get, i64.xor(escaped.get, ALL))),
      follows.set(i64.or(i64.shl(backslashes.get, ONE), escaped.get)),
      sum.set(
        i64.add(backslashes.get, i64.and(i64.and(backslashes.get, i64.xor(EVEN_BITS, ALL)), i64.xor(follows.get, ALL))),
      ),
      escaped.set(i64.extendI32U(i64.ltU(sum.get, backslashes.get))),
      follows.set(i64.and(i64.xor(EVEN_BITS, i64.shl(sum.get, ONE)), follows.get)),
      quotes.set(i64.and(quotes.get, i64.xor(follows.get, ALL))),
      op.if(
        i32.ltS(left.get, i32.const(BLOCK)),
        escaped.set(i64.and(i64.shrU(follows.get, i64.extendI32U(left.get)), ONE)),
      ),
    ]),
  ];
}

/** Sets the bits of bytes in strings and of opening quotes. Each bit is the parity of the quotes up to its position. */
function insideOf({ locals, quotes, inString }: { locals: Locals; quotes: Local; inString: Local }): Code {
  const inside = locals.add(I64);
  return [
    inside.set(quotes.get),
    [1, 2, 4, 8, 16, 32].map((shift) => inside.set(i64.xor(inside.get, i64.shl(inside.get, i64.const(BigInt(shift)))))),
    inside.set(i64.xor(inside.get, inString.get)),
    inString.set(i64.shrS(inside.get, i64.const(63n))),
    inside.get,
  ];
}

interface BracketParts {
  locals: Locals;
  ask: (question: (vector: Code) => Code) => Code;
  outside: Local;
  depth: Local;
  position: Code;
  depthMax: number;
}

function countBrackets({ locals, ask, outside, depth, position, depthMax }: BracketParts): Code {
  const opening = locals.add(I64);
  const brackets = locals.add(I64);
  const place = locals.add(I32);
  const is = (brace: number) => (bytes: Code) => i8x16.eq(v128.or(bytes, op.bytes(BRACE_BIT)), op.bytes(brace));
  // Depth counts from 1, so addresses subtract one slot of 4 bytes.
  const startOf = i32.shl(depth.get, i32.const(2));
  return [
    opening.set(i64.and(ask(is(OPEN_BRACE)), outside.get)),
    brackets.set(i64.or(opening.get, i64.and(ask(is(CLOSE_BRACE)), outside.get))),
    op.while(i64.ne(brackets.get, ZERO), [
      place.set(i32.add(position, i32.wrapI64(i64.ctz(brackets.get)))),
      op.if(
        i64.ne(i64.and(i64.and(opening.get, brackets.get), i64.sub(ZERO, brackets.get)), ZERO),
        [
          depth.set(i32.add(depth.get, i32.const(1))),
          op.if(i32.gtS(depth.get, i32.const(depthMax)), op.return(i32.const(MALFORMED))),
          op.if(i32.leS(depth.get, i32.const(SPAN_DEPTH_MAX)), i32.store(startOf, place.get, STATE.starts - 4)),
        ],
        [
          op.if(i32.eqz(depth.get), op.return(i32.const(MALFORMED))),
          op.if(
            i32.leS(depth.get, i32.const(SPAN_DEPTH_MAX)),
            keepSpan(i32.load(startOf, STATE.starts - 4), place.get),
          ),
          depth.set(i32.sub(depth.get, i32.const(1))),
        ],
      ),
      brackets.set(i64.and(brackets.get, i64.sub(brackets.get, ONE))),
    ]),
  ];
}

function keepSpan(start: Code, closing: Code): Code {
  const room = i32.shl(load(STATE.spans), i32.const(3));
  return op.if(i32.geS(i32.sub(closing, start), i32.const(SPAN_BYTES_MIN)), [
    i32.store(room, start, SPANS_AT),
    i32.store(room, i32.add(closing, i32.const(1)), SPANS_AT + 4),
    store(STATE.spans, i32.add(load(STATE.spans), i32.const(1))),
  ]);
}
