import {
  MALFORMED,
  SPANS_AT,
  STATE,
  STATE_BYTES,
  STRETCH_BYTES_MAX,
  STRETCHES_AT,
  structureProgram,
} from './structure-program';

/** Maximum nesting depth of an answer. Traces of deep call stacks nest deeper than requests. */
export const DOCUMENT_DEPTH_MAX = 100_000;

export interface JsonStructure {
  /** True if all strings and containers are closed, and only valid bytes occur outside strings. */
  readonly isWhole: boolean;
  /**
   * Maps start offsets of containers to their ends. Has only containers of at least `SPAN_BYTES_MIN` bytes, at most
   * `SPAN_DEPTH_MAX` levels deep.
   */
  readonly ends: ReadonlyMap<number, number>;
}

const program = load();

/**
 * Buffer in the scanner's memory. Input in this buffer is scanned without a copy and never overwritten. Null without
 * WebAssembly.
 */
export const scannedInPlace: Uint8Array<ArrayBuffer> | null =
  program && new Uint8Array(program.memory.buffer, STRETCHES_AT[0], STRETCH_BYTES_MAX);

/**
 * Scans a document as it arrives. Uses WebAssembly SIMD at a quarter of the cost of `skipValue`, with the same result.
 */
export class StructureScan {
  readonly #state = new Uint8Array(STATE_BYTES);
  readonly #ends = new Map<number, number>();
  #isSound = true;

  /** @returns null if the engine lacks WebAssembly SIMD */
  static start(): StructureScan | null {
    return program && new StructureScan();
  }

  private constructor() {}

  feed(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end && this.#isSound; at += STRETCH_BYTES_MAX)
      this.#run(bytes, at, Math.min(end, at + STRETCH_BYTES_MAX));
  }

  end(): JsonStructure {
    const state = new Int32Array(this.#state.buffer);
    const isWhole = this.#isSound && state[STATE.depth / 4] === 0 && state[STATE.inString / 4] === 0;
    return { isWhole, ends: this.#ends };
  }

  #run(bytes: Uint8Array, start: number, end: number): void {
    const { memory, run, bytes: own, words } = program as Program;
    own.set(this.#state);
    words[STATE.spans / 4] = 0;
    const isInPlace = bytes.buffer === memory.buffer;
    if (!isInPlace) own.set(bytes.subarray(start, end), STRETCHES_AT[1]);
    this.#isSound = run(isInPlace ? bytes.byteOffset + start : STRETCHES_AT[1], end - start) !== MALFORMED;
    this.#state.set(own.subarray(0, STATE_BYTES));
    const last = SPANS_AT / 4 + (words[STATE.spans / 4] as number) * 2;
    for (let at = SPANS_AT / 4; at < last; at += 2) this.#ends.set(words[at] as number, words[at + 1] as number);
  }
}

interface Program {
  memory: WebAssembly.Memory;
  bytes: Uint8Array<ArrayBuffer>;
  words: Int32Array;
  run: (start: number, length: number) => number;
}

/** Compiles synchronously, which is fast because the program is small. */
function load(): Program | null {
  const code = structureProgram(DOCUMENT_DEPTH_MAX);
  if (!WebAssembly.validate(code)) return null;
  const { memory, run } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports as unknown as Pick<
    Program,
    'memory' | 'run'
  >;
  const buffer = memory.buffer as ArrayBuffer;
  return { memory, run, bytes: new Uint8Array(buffer), words: new Int32Array(buffer) };
}
