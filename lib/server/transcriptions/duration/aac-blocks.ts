import { BANDS, type Bands, type Codebook, SCALE_FACTORS, SPECTRAL } from './aac-tables';
import { UnmeasurableAudio } from './audio-bytes';

/** Kinds of elements in a block (ISO/IEC 14496-3, table 4.85). */
const [SINGLE, PAIR, LOW, DATA, FILL, END] = [0, 1, 3, 4, 6, 7];
/** Kinds of bands without coded spectral values. */
const [ZERO, RESERVED, NOISE] = [0, 12, 13];
const ESCAPE_BITS_MAX = 8;
/** Type of an extension. Decoders read its length from its content and ignore the element's length. */
const DYNAMIC_RANGE = 11;

interface Window {
  isShort: boolean;
  groups: number[];
  /** Number of scale factor bands in use. */
  bands: number;
  widths: Uint8Array;
}

/**
 * Counts the AAC-LC blocks in a sample. A decoder plays all blocks, and no table states their number. Parses the blocks
 * without decoding the sound.
 *
 * @param rateIndex index of the sample rate, which decides the width of bands
 * @throws UnmeasurableAudio if a part of the sample is not a block that all decoders parse in the same way
 */
export function aacBlocks(sample: Uint8Array, rateIndex: number): number {
  const bits = new Bits(sample);
  const bands = BANDS[rateIndex];
  if (!bands) throw unclear();
  let blocks = 0;
  // Decoders ignore zeros at the end.
  do {
    readBlock(bits, bands);
    blocks++;
  } while (bits.alignToSound());
  return blocks;
}

function readBlock(bits: Bits, bands: Bands): void {
  for (let elements = 0; ; elements++) {
    const kind = bits.read(3);
    if (kind === END) {
      // The bits of an empty block may also be the start of an ADTS header, which may state another sample rate.
      if (elements === 0) throw unclear();
      return;
    }
    const tag = bits.read(4);
    if (kind === SINGLE || kind === LOW) readChannel(bits, bands, null);
    else if (kind === PAIR) readPair(bits, bands);
    else if (kind === DATA) skipData(bits);
    else if (kind === FILL) skipFill(bits, tag);
    else throw unclear();
  }
}

function skipData(bits: Bits): void {
  const isAligned = bits.read(1) === 1;
  const count = bits.read(8);
  const bytes = count === 255 ? count + bits.read(8) : count;
  if (isAligned) bits.align();
  bits.skip(8 * bytes);
}

function skipFill(bits: Bits, count: number): void {
  const bytes = count === 15 ? count + bits.read(8) - 1 : count;
  if (bytes > 0 && bits.peek(4) === DYNAMIC_RANGE) throw unclear();
  bits.skip(8 * bytes);
}

function readPair(bits: Bits, bands: Bands): void {
  const isCommon = bits.read(1) === 1;
  const window = isCommon ? readWindow(bits, bands) : null;
  if (window) {
    const stereo = bits.read(2);
    if (stereo === 3) throw unclear();
    if (stereo === 1) bits.skip(window.groups.length * window.bands);
  }
  readChannel(bits, bands, window);
  readChannel(bits, bands, window);
}

function readWindow(bits: Bits, { long, short }: Bands): Window {
  if (bits.read(1) !== 0) throw unclear();
  const isShort = bits.read(2) === 2;
  bits.skip(1);
  const bands = bits.read(isShort ? 4 : 6);
  const groups = [1];
  if (isShort)
    for (let window = 1; window < 8; window++) {
      if (bits.read(1) === 0) groups.push(1);
      else groups[groups.length - 1] = (groups.at(-1) as number) + 1;
    }
  // AAC-LC has no prediction.
  else if (bits.read(1) !== 0) throw unclear();
  const widths = isShort ? short : long;
  if (bands > widths.length) throw unclear();
  return { isShort, groups, bands, widths };
}

function readChannel(bits: Bits, bands: Bands, common: Window | null): void {
  bits.skip(8);
  const window = common ?? readWindow(bits, bands);
  const kinds = readKinds(bits, window);
  readScaleFactors(bits, kinds);
  if (bits.read(1) === 1) {
    if (window.isShort) throw unclear();
    const pulses = bits.read(2) + 1;
    if (bits.read(6) >= window.widths.length) throw unclear();
    bits.skip(5 + 4 + (pulses - 1) * 9);
  }
  if (bits.read(1) === 1) skipNoiseShaping(bits, window.isShort);
  // AAC-LC has no gain control.
  if (bits.read(1) === 1) throw unclear();
  readLines(bits, window, kinds);
}

/** Reads the kind of each band in each group: the number of its codebook, or a kind without spectral values. */
function readKinds(bits: Bits, { isShort, groups, bands }: Window): Uint8Array {
  const lengthBits = isShort ? 3 : 5;
  const more = (1 << lengthBits) - 1;
  const kinds = new Uint8Array(groups.length * bands);
  for (let group = 0; group < groups.length; group++)
    for (let band = 0; band < bands;) {
      const kind = bits.read(4);
      if (kind === RESERVED) throw unclear();
      let end = band;
      let length: number;
      do {
        length = bits.read(lengthBits);
        end += length;
      } while (length === more);
      if (end > bands) throw unclear();
      kinds.fill(kind, group * bands + band, group * bands + end);
      band = end;
    }
  return kinds;
}

function readScaleFactors(bits: Bits, kinds: Uint8Array): void {
  let isNoiseKnown = false;
  for (const kind of kinds) {
    if (kind === ZERO) continue;
    if (kind === NOISE && !isNoiseKnown) {
      isNoiseKnown = true;
      bits.skip(9);
    } else bits.code(SCALE_FACTORS);
  }
}

function skipNoiseShaping(bits: Bits, isShort: boolean): void {
  for (let window = 0; window < (isShort ? 8 : 1); window++) {
    const filters = bits.read(isShort ? 1 : 2);
    const resolution = filters === 0 ? 0 : bits.read(1);
    for (let filter = 0; filter < filters; filter++) {
      bits.skip(isShort ? 4 : 6);
      const order = bits.read(isShort ? 3 : 5);
      if (order > (isShort ? 7 : 12)) throw unclear();
      if (order === 0) continue;
      bits.skip(1);
      const isCompressed = bits.read(1);
      bits.skip(order * (resolution + 3 - isCompressed));
    }
  }
}

function readLines(bits: Bits, { groups, bands, widths }: Window, kinds: Uint8Array): void {
  for (const [group, windows] of groups.entries())
    for (let band = 0; band < bands; band++) {
      const kind = kinds[group * bands + band] as number;
      const book = kind === ZERO ? undefined : SPECTRAL[kind - 1];
      if (!book) continue;
      // A code word encodes four values in the first four codebooks, and two in the others.
      const words = (widths[band] as number) * windows * (kind > 4 ? 2 : 1);
      for (let word = 0; word < words; word++) {
        const more = bits.code(book);
        if (more > 0) bits.skip(more & 7);
        for (let escaped = more >> 3; escaped > 0; escaped--) skipEscaped(bits);
      }
    }
}

/** Skips a large value: n ones, a zero, and n + 4 bits. */
function skipEscaped(bits: Bits): void {
  let ones = 0;
  while (bits.read(1) === 1) if (++ones > ESCAPE_BITS_MAX) throw unclear();
  bits.skip(ones + 4);
}

class Bits {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#end = bytes.length * 8;
  }

  /** Returns up to 24 bits without skipping them. Bits beyond the end are zeros. */
  peek(length: number): number {
    const [bytes, byte] = [this.#bytes, this.#at >>> 3];
    const word =
      ((bytes[byte] ?? 0) << 24) |
      ((bytes[byte + 1] ?? 0) << 16) |
      ((bytes[byte + 2] ?? 0) << 8) |
      (bytes[byte + 3] ?? 0);
    return (word << (this.#at & 7)) >>> (32 - length);
  }

  read(length: number): number {
    const value = this.peek(length);
    this.skip(length);
    return value;
  }

  skip(length: number): void {
    this.#at += length;
    if (this.#at > this.#end) throw unclear();
  }

  /**
   * Skips a code word.
   *
   * @returns the number of its sign bits (low 3 bits) and of its escaped values (higher bits)
   */
  code({ longest, entries }: Codebook): number {
    const entry = entries[this.peek(longest)] as number;
    this.skip(entry & 31);
    return entry >> 5;
  }

  align(): void {
    this.#at = (this.#at + 7) & ~7;
  }

  /** Moves to the next byte boundary. @returns whether any remaining byte is not zero */
  alignToSound(): boolean {
    this.align();
    for (let byte = this.#at >>> 3; byte < this.#bytes.length; byte++) if (this.#bytes[byte] !== 0) return true;
    return false;
  }
}

function unclear(): UnmeasurableAudio {
  return new UnmeasurableAudio(
    'The MP4 file has damaged sound or a rare kind of AAC, so its length cannot be measured. Convert it to MP3 or WAV.',
  );
}
