import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { floatsToInt16, Resampler } from '@/lib/protocol/speech/resampler';
import { AudioUnreadableError } from './audio-unreadable-error';
import { type SampleLayout, WavStartReader } from './wav-format';

/** What raw samples are taken for: what OpenAI's API delivers as "pcm". */
const RAW: SampleLayout = { sampleRate: SPEECH_SAMPLE_RATE, channels: 1, bitsPerSample: 16, isFloat: false };

/**
 * Reads an upstream's audio as it comes: a WAV file (integers of 8 to 32 bits or floats, 1 to 8 channels, 4 to 192 kHz, with
 * or without sizes), told by its first bytes, or else raw samples.
 *
 * @param raw how samples without a header lie; 24 kHz mono signed 16-bit little-endian unless given
 * @returns 24 kHz mono; channels are averaged. What needs no change lies where it came, in the pieces of `bytes`
 * @throws {AudioUnreadableError} for a WAV file that is damaged, of another coding, or shorter than it says
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

/** A decoder with what came so far; undefined while that is not enough. */
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

/** The same bytes, without a copy. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

class SampleDecoder {
  readonly #frameBytes: number;
  readonly #resampler: Resampler;
  readonly #read: (view: DataView, offset: number) => number;
  #held: Buffer = Buffer.alloc(0);
  #missing: number | null;
  /** Whether the samples are what comes out, as they are from most upstreams. */
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

  /** Whether all has come that the file announced; what follows is not sound. */
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

  /** A part of a sample at the end is dropped where no length was announced. */
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

/** In place where they lie at an even address, as they mostly do: copies would have the memory collected more often. */
function asSamples(bytes: Buffer): Int16Array<ArrayBuffer> {
  const isAligned = bytes.byteOffset % Int16Array.BYTES_PER_ELEMENT === 0;
  const own = isAligned ? bytes : new Uint8Array(bytes);
  return new Int16Array(own.buffer as ArrayBuffer, own.byteOffset, own.byteLength / Int16Array.BYTES_PER_ELEMENT);
}

/** Reads a sample as a float from -1 to 1. What is no number is silence. */
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
