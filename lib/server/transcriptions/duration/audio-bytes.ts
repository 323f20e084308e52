/** File whose bytes are read in pieces. */
export interface AudioBytes {
  readonly length: number;
  /** Returns `length` bytes from an offset. Returns fewer bytes only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

export const WINDOW_BYTES = 65_536;
export const CONTAINER_DEPTH_MAX = 16;

const NOTHING = new Uint8Array();

/** Window that moves forward over a file. */
export class ByteWindow {
  readonly length: number;
  #start = 0;
  #bytes: Uint8Array = NOTHING;

  constructor(private readonly source: AudioBytes) {
    this.length = source.length;
  }

  another(): ByteWindow {
    return new ByteWindow(this.source);
  }

  /**
   * Returns bytes if they are in the window; null if they must be loaded first. Is synchronous, to avoid a promise for
   * each frame.
   */
  held(offset: number, length: number): Uint8Array | null {
    const from = offset - this.#start;
    const until = Math.min(from + length, this.length - this.#start);
    return from >= 0 && until <= this.#bytes.byteLength ? this.#bytes.subarray(from, Math.max(from, until)) : null;
  }

  /** Moves the window to an offset. Returns `length` bytes from there, or fewer bytes at the end of the file. */
  async load(offset: number, length: number): Promise<Uint8Array> {
    this.#bytes = offset >= this.length ? NOTHING : await this.source.read(offset, WINDOW_BYTES);
    this.#start = offset;
    return this.#bytes.subarray(0, length);
  }
}

/** Returns bytes as a big-endian number, up to 2^53. */
export function numberAt(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = at; index < at + length; index++) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

export function littleEndianAt(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = at + length - 1; index >= at; index--) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

export function asciiAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** Error for audio whose duration cannot be found with certainty. The message is a sentence for the caller. */
export class UnmeasurableAudio extends Error {
  override readonly name = 'UnmeasurableAudio';
}
