import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { floatsToInt16, Resampler } from '@/lib/protocol/speech/resampler';

/** Error for unreadable or truncated audio from an upstream. */
export class AudioUnreadableError extends Error {
  override readonly name = 'AudioUnreadableError';
}

/** Default format of raw samples, the same as OpenAI's "pcm". */
const RAW: SampleLayout = { sampleRate: SPEECH_SAMPLE_RATE, channels: 1, bitsPerSample: 16, isFloat: false };

/**
 * Decodes an upstream's audio as it arrives: a WAV file, recognized by its first bytes, or raw samples. A WAV file may
 * have 8-bit to 32-bit integers or floats, 1 to 8 channels, and a rate of 4 to 192 kHz. It need not state its size.
 * @param raw layout of raw samples; 24 kHz mono signed 16-bit little-endian by default
 * @returns samples in 24 kHz mono. Channels are averaged. Input already in this form is not copied
 * @throws {AudioUnreadableError} for a WAV file that is damaged, has an unsupported coding, or ends early
 */
export async function* decodeSpeech(
  bytes: AsyncIterable<Uint8Array>,
  raw: SampleLayout = RAW,
): AsyncGenerator<Int16Array<ArrayBuffer>> {
  const head = new GrowingBytes();
  const start = new WavStartReader();
  let decoder: SampleDecoder | undefined;
  for await (const piece of bytes) {
    if (decoder === undefined) {
      head.append(piece);
      decoder = recognise(asBuffer(head.bytes), start, raw);
      if (decoder === undefined) continue;
    } else decoder.push(piece);
    const samples = decoder.take();
    if (samples.length > 0) yield samples;
    if (decoder.isComplete) break;
  }
  decoder ??= withoutHeader(asBuffer(head.bytes), raw);
  const rest = decoder.end();
  if (rest.length > 0) yield rest;
}

function recognise(head: Buffer, reader: WavStartReader, raw: SampleLayout): SampleDecoder | undefined {
  if (!'RIFF'.startsWith(head.toString('latin1', 0, 4))) return withoutHeader(head, raw);
  const start = head.length < 4 ? null : reader.read(head);
  if (start === null) return undefined;
  const decoder = new SampleDecoder(start, start.dataBytes);
  decoder.push(head.subarray(start.dataOffset));
  return decoder;
}

function withoutHeader(head: Buffer, raw: SampleLayout): SampleDecoder {
  if (head.toString('latin1', 0, 4) === 'RIFF')
    throw new AudioUnreadableError('The WAV file ended before its samples.');
  const decoder = new SampleDecoder(raw, null);
  decoder.push(head);
  return decoder;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

class SampleDecoder {
  readonly #frameBytes: number;
  readonly #resampler: Resampler;
  readonly #read: (view: DataView, offset: number) => number;
  #held: Buffer = Buffer.alloc(0);
  #missing: number | null;
  readonly #isOurs: boolean;

  constructor(
    private readonly layout: SampleLayout,
    dataBytes: number | null,
  ) {
    this.#missing = dataBytes;
    this.#isOurs =
      layout.sampleRate === SPEECH_SAMPLE_RATE &&
      layout.channels === 1 &&
      layout.bitsPerSample === 16 &&
      !layout.isFloat;
    this.#frameBytes = (layout.bitsPerSample / 8) * layout.channels;
    this.#resampler = new Resampler(layout.sampleRate, SPEECH_SAMPLE_RATE);
    this.#read = readerOf(layout);
  }

  /** True if all samples that the file announced have arrived. Later bytes are not audio. */
  get isComplete(): boolean {
    return this.#missing === 0;
  }

  push(bytes: Uint8Array): void {
    const wanted = this.#missing === null ? bytes : bytes.subarray(0, this.#missing);
    if (this.#missing !== null) this.#missing -= wanted.length;
    this.#held = this.#held.length === 0 ? asBuffer(wanted) : Buffer.concat([this.#held, wanted]);
  }

  take(): Int16Array<ArrayBuffer> {
    const frames = Math.floor(this.#held.length / this.#frameBytes);
    const whole = this.#held.subarray(0, frames * this.#frameBytes);
    this.#held = this.#held.subarray(whole.length);
    if (this.#isOurs) return asSamples(whole);
    return floatsToInt16(this.#resampler.push(this.#mono(whole, frames)));
  }

  /** Ends the input. If the file announced no length, drops an incomplete last sample. */
  end(): Int16Array<ArrayBuffer> {
    if (this.#missing !== null && this.#missing > 0)
      throw new AudioUnreadableError(`The WAV file ended ${this.#missing} bytes early.`);
    const last = this.take();
    const rest = floatsToInt16(this.#resampler.end());
    const joined = new Int16Array(last.length + rest.length);
    joined.set(last);
    joined.set(rest, last.length);
    return joined;
  }

  #mono(bytes: Buffer, frames: number): Float32Array {
    const { channels } = this.layout;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const step = this.#frameBytes / channels;
    const mono = new Float32Array(frames);
    for (let frame = 0; frame < frames; frame += 1) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel += 1)
        sum += this.#read(view, frame * this.#frameBytes + channel * step);
      mono[frame] = sum / channels;
    }
    return mono;
  }
}

/** Returns the bytes as samples. Copies the bytes only if their address is odd, which is rare. */
function asSamples(bytes: Buffer): Int16Array<ArrayBuffer> {
  const isAligned = bytes.byteOffset % Int16Array.BYTES_PER_ELEMENT === 0;
  const own = isAligned ? bytes : new Uint8Array(bytes);
  return new Int16Array(own.buffer as ArrayBuffer, own.byteOffset, own.byteLength / Int16Array.BYTES_PER_ELEMENT);
}

/** Returns a function that reads a sample as a float from -1 to 1. NaN becomes silence. */
function readerOf({ bitsPerSample, isFloat }: SampleLayout): (view: DataView, offset: number) => number {
  const finite = (value: number) => (Number.isFinite(value) ? value : 0);
  if (isFloat)
    return bitsPerSample === 32
      ? (view, at) => finite(view.getFloat32(at, true))
      : (view, at) => finite(view.getFloat64(at, true));
  if (bitsPerSample === 8) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (bitsPerSample === 16) return (view, at) => view.getInt16(at, true) / 32_768;
  if (bitsPerSample === 24) return (view, at) => (view.getUint8(at) | (view.getInt16(at + 1, true) << 8)) / 8_388_608;
  return (view, at) => view.getInt32(at, true) / 2_147_483_648;
}

interface SampleLayout {
  sampleRate: number;
  channels: number;
  bitsPerSample: number;
  isFloat: boolean;
}

interface WavStart extends SampleLayout {
  dataOffset: number;
  /** Total bytes of the samples; null if the file does not state this number, as in streams. */
  dataBytes: number | null;
}

const HEADER_BYTES_MAX = 64 * 1024;
const SAMPLE_RATES = { min: 4_000, max: 192_000 };
const CHANNELS_MAX = 8;
const FORMAT_PCM = 1;
const FORMAT_FLOAT = 3;
const FORMAT_EXTENSIBLE = 0xfffe;
/**
 * A stated size of at least this many bytes (six hours) counts as unknown. Streams state 0, 0xFFFFFFFF or another large
 * number.
 */
const SIZE_UNKNOWN_FROM = 1_000_000_000;

class WavStartReader {
  #at = 12;
  #layout: SampleLayout | undefined;

  /**
   * @param bytes all bytes that have arrived
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
      // The next chunk begins at an even offset.
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
