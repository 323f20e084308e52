import { AudioUnreadableError } from './audio-unreadable-error';

export interface SampleLayout {
  sampleRate: number;
  channels: number;
  bitsPerSample: number;
  isFloat: boolean;
}

interface WavStart extends SampleLayout {
  dataOffset: number;
  /** Size of the samples; null if the file does not state it, as in streams. */
  dataBytes: number | null;
}

const HEADER_BYTES_MAX = 64 * 1024;
const SAMPLE_RATES = { min: 4_000, max: 192_000 };
const CHANNELS_MAX = 8;
const FORMAT_PCM = 1;
const FORMAT_FLOAT = 3;
const FORMAT_EXTENSIBLE = 0xfffe;
/** Sizes from a billion bytes (six hours) count as unknown. Streams write 0, 0xFFFFFFFF or another large number. */
const SIZE_UNKNOWN_FROM = 1_000_000_000;

/** Parses the chunks of a WAV file as it arrives, up to its samples. */
export class WavStartReader {
  #at = 12;
  #layout: SampleLayout | undefined;

  /**
   * @param bytes all bytes so far
   * @returns null if more bytes are needed
   * @throws {AudioUnreadableError} for a file that is not WAV, or whose coding is neither PCM nor float
   */
  read(bytes: Buffer): WavStart | null {
    if (bytes.length < 12) return null;
    if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE')
      throw new AudioUnreadableError('It is not a WAV file.');
    while (this.#at + 8 <= bytes.length) {
      const at = this.#at;
      const size = bytes.readUInt32LE(at + 4);
      const tag = bytes.toString('latin1', at, at + 4);
      if (tag === 'data') {
        if (this.#layout === undefined) throw new AudioUnreadableError('The WAV file has samples before their format.');
        return {
          ...this.#layout,
          dataOffset: at + 8,
          dataBytes: size === 0 || size >= SIZE_UNKNOWN_FROM ? null : size,
        };
      }
      if (at + 8 + size > HEADER_BYTES_MAX)
        throw new AudioUnreadableError('The WAV file has no samples in its first 64 KB.');
      if (at + 8 + size > bytes.length) return null;
      if (tag === 'fmt ') this.#layout = readFormat(bytes.subarray(at + 8, at + 8 + size));
      // Chunks begin at even offsets.
      this.#at = at + 8 + size + (size % 2);
    }
    if (bytes.length > HEADER_BYTES_MAX)
      throw new AudioUnreadableError('The WAV file has no samples in its first 64 KB.');
    return null;
  }
}

function readFormat(chunk: Buffer): SampleLayout {
  if (chunk.length < 16) throw new AudioUnreadableError('The format of the WAV file is cut off.');
  const tag = chunk.readUInt16LE(0);
  const coding = tag === FORMAT_EXTENSIBLE && chunk.length >= 26 ? chunk.readUInt16LE(24) : tag;
  const layout = {
    channels: chunk.readUInt16LE(2),
    sampleRate: chunk.readUInt32LE(4),
    bitsPerSample: chunk.readUInt16LE(14),
    isFloat: coding === FORMAT_FLOAT,
  };
  const isKnown =
    coding === FORMAT_PCM
      ? [8, 16, 24, 32].includes(layout.bitsPerSample)
      : coding === FORMAT_FLOAT && [32, 64].includes(layout.bitsPerSample);
  if (!isKnown)
    throw new AudioUnreadableError(`WAV coding ${coding} with ${layout.bitsPerSample} bits is not supported.`);
  if (layout.channels < 1 || layout.channels > CHANNELS_MAX)
    throw new AudioUnreadableError(`${layout.channels} channels are not supported.`);
  if (layout.sampleRate < SAMPLE_RATES.min || layout.sampleRate > SAMPLE_RATES.max)
    throw new AudioUnreadableError(`A sample rate of ${layout.sampleRate} Hz is not supported.`);
  return layout;
}
