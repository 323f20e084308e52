/**
 * Subset of the WebAssembly binary format (https://webassembly.github.io/spec/core/binary/) for a module with one
 * function and its own memory.
 */
export type Code = readonly (number | Code)[];

export const I32 = 0x7f;
export const I64 = 0x7e;
export const V128 = 0x7b;
type ValueType = typeof I32 | typeof I64 | typeof V128;

const NO_VALUE = 0x40;
const SIMD = 0xfd;

const i32 =
  (opcode: number) =>
  (a: Code, b: Code): Code => [a, b, opcode];
const simd =
  (opcode: number) =>
  (...operands: Code[]): Code => [...operands, SIMD, unsigned(opcode)];
const access =
  (opcode: Code, align: number) =>
  (address: Code, offset: number): Code => [address, opcode, align, unsigned(offset)];

/** Instructions by the names in the WebAssembly specification. */
export const op = {
  i32: {
    const: (value: number): Code => [0x41, signed(BigInt(value))],
    add: i32(0x6a),
    sub: i32(0x6b),
    ltS: i32(0x48),
    gtS: i32(0x4a),
    leS: i32(0x4c),
    geS: i32(0x4e),
    geU: i32(0x4f),
    shl: i32(0x74),
    eqz: (a: Code): Code => [a, 0x45],
    wrapI64: (a: Code): Code => [a, 0xa7],
    load: access([0x28], 2),
    store: (address: Code, value: Code, offset: number): Code => [address, value, 0x36, 2, unsigned(offset)],
  },
  i64: {
    const: (value: bigint): Code => [0x42, signed(value)],
    ne: i32(0x52),
    ltU: i32(0x54),
    add: i32(0x7c),
    sub: i32(0x7d),
    and: i32(0x83),
    or: i32(0x84),
    xor: i32(0x85),
    shl: i32(0x86),
    shrS: i32(0x87),
    shrU: i32(0x88),
    ctz: (a: Code): Code => [a, 0x7a],
    eqz: (a: Code): Code => [a, 0x50],
    extendI32S: (a: Code): Code => [a, 0xac],
    extendI32U: (a: Code): Code => [a, 0xad],
  },
  v128: {
    load: access([SIMD, 0x00], 0),
    const: (bytes: readonly number[]): Code => [SIMD, 0x0c, ...bytes],
    and: simd(0x4e),
    or: simd(0x50),
  },
  i8x16: {
    swizzle: simd(0x0e),
    eq: simd(0x23),
    bitmask: simd(0x64),
    shrU: simd(0x6d),
  },
  /** Vector with sixteen copies of a byte. */
  bytes: (byte: number): Code => op.v128.const(Array<number>(16).fill(byte)),
  return: (value: Code): Code => [value, 0x0f],
  if: (condition: Code, then: Code, otherwise?: Code): Code => [
    condition,
    0x04,
    NO_VALUE,
    then,
    otherwise ? [0x05, otherwise] : [],
    0x0b,
  ],
  while: (condition: Code, body: Code): Code => [0x03, NO_VALUE, condition, 0x04, NO_VALUE, body, 0x0c, 1, 0x0b, 0x0b],
} as const;

export interface Local {
  get: Code;
  set(value: Code): Code;
}

export class Locals {
  readonly #types: ValueType[] = [];

  constructor(private readonly parameters: readonly ValueType[]) {}

  parameter(index: number): Local {
    return local(index);
  }

  add(type: ValueType): Local {
    this.#types.push(type);
    return local(this.parameters.length + this.#types.length - 1);
  }

  get types(): { parameters: readonly ValueType[]; others: readonly ValueType[] } {
    return { parameters: this.parameters, others: this.#types };
  }
}

function local(index: number): Local {
  return { get: [0x20, unsigned(index)], set: (value) => [value, 0x21, unsigned(index)] };
}

/**
 * Builds a module with two exports: its memory as `memory`, and a function `run` that returns an i32. `pages` is the
 * memory's size.
 */
export function moduleBytes(locals: Locals, body: Code, pages: number): Uint8Array<ArrayBuffer> {
  const { parameters, others } = locals.types;
  const declared = vector(others.map((type) => [1, type]));
  const code = flat([declared, body, 0x0b]);
  return Uint8Array.from(
    flat([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, vector([[0x60, vector(parameters.map((type) => [type])), vector([[I32]])]])),
      section(3, vector([[0]])),
      section(5, vector([[0, unsigned(pages)]])),
      section(
        7,
        vector([
          [name('memory'), 2, 0],
          [name('run'), 0, 0],
        ]),
      ),
      section(10, vector([[unsigned(code.length), code]])),
    ]),
  );
}

function section(id: number, content: Code): Code {
  const bytes = flat(content);
  return [id, unsigned(bytes.length), bytes];
}

function vector(items: readonly Code[]): Code {
  return [unsigned(items.length), ...items];
}

function name(text: string): Code {
  return [unsigned(text.length), Array.from(text, (character) => character.charCodeAt(0))];
}

function flat(code: Code): number[] {
  return code.flatMap((part) => (typeof part === 'number' ? [part] : flat(part)));
}

/** Encodes a number in unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const isLast = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}
