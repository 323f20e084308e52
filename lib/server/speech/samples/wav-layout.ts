/** How the samples of a WAV file lie. */
export interface WavLayout {
  channels: number;
  sampleRate: number;
  bytesPerSample: number;
  isFloat: boolean;
  /** Where the samples begin. */
  dataStart: number;
  /** How many bytes they have; null where the file was written before that was known. */
  dataBytes: number | null;
}

const HEADER_BYTES_MAX = 65_536;
const FORMAT_PCM = 1;
const FORMAT_FLOAT = 3;
const FORMAT_EXTENSIBLE = 0xfffe;
/** What writers who do not know the size put in its place. */
const UNKNOWN_SIZES = new Set([0, 0xffffffff, 0x7fffffff, 0xffffffff - 36, 0x7fffffff - 36, 0x7ffff000]);

/** It is no WAV file, or one of a kind that is not read. */
export class WavUnreadable extends Error {
  override readonly name = 'WavUnreadable';
}

/**
 * The layout of a WAV file from its beginning; null while more of it is needed.
 * @throws WavUnreadable
 */
export function readWavLayout(bytes: Buffer): WavLayout | null {
  if (bytes.length >= 4 && bytes.toString('latin1', 0, 4) !== 'RIFF') throw new WavUnreadable('It does not begin with RIFF.');
  if (bytes.length >= 12 && bytes.toString('latin1', 8, 12) !== 'WAVE') throw new WavUnreadable('It is RIFF, and no WAVE.');
  let at = 12;
  let format: Omit<WavLayout, 'dataStart' | 'dataBytes'> | null = null;
  while (at + 8 <= bytes.length) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (name === 'data') {
      if (!format) throw new WavUnreadable('Its samples come before their format.');
      return { ...format, dataStart: at + 8, dataBytes: UNKNOWN_SIZES.has(size) ? null : size };
    }
    if (name === 'fmt ') {
      if (at + 24 > bytes.length || at + 8 + size > bytes.length) return null;
      format = readFormat(bytes, at + 8, size);
    }
    // Chunks are padded to an even length.
    at += 8 + size + (size % 2);
    if (at > HEADER_BYTES_MAX) throw new WavUnreadable('Its samples begin too late.');
  }
  return null;
}

function readFormat(bytes: Buffer, at: number, size: number): Omit<WavLayout, 'dataStart' | 'dataBytes'> {
  if (size < 16) throw new WavUnreadable('Its format is cut short.');
  const tag = bytes.readUInt16LE(at);
  const kind = tag === FORMAT_EXTENSIBLE && size >= 26 ? bytes.readUInt16LE(at + 24) : tag;
  const [channels, sampleRate, bits] = [bytes.readUInt16LE(at + 2), bytes.readUInt32LE(at + 4), bytes.readUInt16LE(at + 14)];
  const isFloat = kind === FORMAT_FLOAT && bits === 32;
  if (!isFloat && !(kind === FORMAT_PCM && [8, 16, 24, 32].includes(bits))) throw new WavUnreadable('Its samples are neither linear PCM nor floats.');
  if (channels < 1 || channels > 8) throw new WavUnreadable('It has no channel, or more than 8.');
  if (sampleRate < 4_000 || sampleRate > 192_000) throw new WavUnreadable('Its sample rate is not between 4 and 192 kHz.');
  return { channels, sampleRate, bytesPerSample: bits / 8, isFloat };
}
