import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { floatsToInt16, Resampler } from '@/lib/protocol/speech/resampler';
import { AudioUnreadableError } from './audio-unreadable-error';
import { type SampleLayout, WavStartReader } from './wav-format';

/** Default format of raw samples: OpenAI's "pcm". */
const RAW: SampleLayout = { sampleRate: SPEECH_SAMPLE_RATE, channels: 1, bitsPerSample: 16, isFloat: false };

/**
 * Decodes an upstream's audio as it arrives. Recognizes a WAV file by its first bytes; anything else is raw samples. A
 * WAV file may have integers of 8 to 32 bits or floats, 1 to 8 channels, 4 to 192 kHz, and unknown sizes.
 * @param raw layout of raw samples; 24 kHz mono signed 16-bit little-endian by default
 * @returns 24 kHz mono samples, channels averaged; input in that form is not copied
 * @throws {AudioUnreadableError} for a WAV file that is damaged, has another coding, or ends early
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
  /** True if the samples need no conversion. */
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

  /** True if all announced samples arrived. Later bytes are not audio. */
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

  /** Drops a partial last sample if the file announced no length. */
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

/** Copies the bytes only if their address is odd, which is rare. */
function asSamples(bytes: Buffer): Int16Array<ArrayBuffer> {
  const isAligned = bytes.byteOffset % Int16Array.BYTES_PER_ELEMENT === 0;
  const own = isAligned ? bytes : new Uint8Array(bytes);
  return new Int16Array(own.buffer as ArrayBuffer, own.byteOffset, own.byteLength / Int16Array.BYTES_PER_ELEMENT);
}

/** The returned function reads a sample as a float from -1 to 1. NaN becomes silence. */
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
