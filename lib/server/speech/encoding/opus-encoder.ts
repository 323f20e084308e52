import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { Encoder } from '@evan/opus/wasm/index.mjs';
import { randomBytes } from 'node:crypto';
import type { Emit, StreamEncoder } from './stream-encoder';

const BITS_PER_SECOND = 32_000;
const COMPLEXITY = 6;
const FRAME_SAMPLES = SPEECH_SAMPLE_RATE / 50;
/** Granules per input sample. Opus in Ogg always counts at 48 kHz, whatever the input rate (RFC 7845, section 4). */
const GRANULES_PER_SAMPLE = 48_000 / SPEECH_SAMPLE_RATE;

const SET_BITRATE = 4002;
const SET_COMPLEXITY = 4010;
const GET_LOOKAHEAD = 4027;

/** Number of 20 ms packets per Ogg page: 0.2 s in a stream, 1 s in a whole file. */
const PACKETS_PER_PAGE = { streamed: 10, whole: 50 };

/** Encodes Opus in Ogg (RFC 7845). The pre-skip and the last granule position make the duration exact to one sample. */
export function createOpusEncoder(isStreamed: boolean, emit: Emit): StreamEncoder {
  const encoder = new Encoder({ channels: 1, sample_rate: SPEECH_SAMPLE_RATE, application: 'audio' });
  encoder.ctl(SET_BITRATE, BITS_PER_SECOND);
  encoder.ctl(SET_COMPLEXITY, COMPLEXITY);
  const lookahead = encoder.ctl(GET_LOOKAHEAD);
  const preSkip = lookahead * GRANULES_PER_SAMPLE;
  const writer = new OggOpusWriter(
    {
      preSkip,
      inputSampleRate: SPEECH_SAMPLE_RATE,
      packetsPerPage: isStreamed ? PACKETS_PER_PAGE.streamed : PACKETS_PER_PAGE.whole,
    },
    emit,
  );
  const frame = new Int16Array(FRAME_SAMPLES);
  let filled = 0;
  let sampleCount = 0;
  let encodedSamples = 0;

  const encodeFrame = () => {
    writer.add(encoder.encode(frame), FRAME_SAMPLES * GRANULES_PER_SAMPLE);
    encodedSamples += FRAME_SAMPLES;
    filled = 0;
  };
  return {
    write(samples) {
      sampleCount += samples.length;
      for (let at = 0; at < samples.length;) {
        const part = samples.subarray(at, at + FRAME_SAMPLES - filled);
        frame.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled === FRAME_SAMPLES) encodeFrame();
      }
      if (isStreamed) writer.flush();
    },
    finish() {
      // The encoder's output lags behind its input. Adds silence until the last samples have been emitted.
      while (encodedSamples < sampleCount + lookahead) {
        frame.fill(0, filled);
        encodeFrame();
      }
      writer.end(preSkip + sampleCount * GRANULES_PER_SAMPLE);
      encoder.drop();
    },
    cancel: () => encoder.drop(),
  };
}

interface OggOpusOptions {
  /** Number of samples at 48 kHz that a decoder drops from the start of its output. */
  preSkip: number;
  inputSampleRate: number;
  packetsPerPage: number;
}

const CONTINUED_SEGMENTS_MAX = 255;
const PAGE_HEADER_BYTES = 27;
const FIRST_PAGE = 0x02;
const LAST_PAGE = 0x04;
const VENDOR = 'Turnpike';

/**
 * Writes Opus packets as an Ogg stream (RFC 3533, RFC 7845). Holds each page back until the next page begins, because
 * the last page must be marked.
 */
class OggOpusWriter {
  readonly #serial = randomBytes(4).readUInt32LE();
  #sequence = 0;
  #granules = 0;
  #granulesOfLast = 0;
  #packets: Uint8Array[] = [];
  #segments = 0;

  constructor(
    private readonly options: OggOpusOptions,
    private readonly emit: Emit,
  ) {
    this.emit(concat(this.#page([identification(options)], 0, FIRST_PAGE), this.#page([comment()], 0, 0)));
  }

  /**
   * @param packet one packet of at most 1,275 bytes
   * @param granules number of samples in the packet, counted at 48 kHz
   */
  add(packet: Uint8Array, granules: number): void {
    const segments = Math.floor(packet.length / 255) + 1;
    if (this.#packets.length >= this.options.packetsPerPage || this.#segments + segments > CONTINUED_SEGMENTS_MAX)
      this.#writeHeld(this.#granules, 0);
    this.#packets.push(packet);
    this.#segments += segments;
    this.#granules += granules;
    this.#granulesOfLast = granules;
  }

  /** Sends all packets except the newest, because the newest may turn out to be the last. */
  flush(): void {
    const held = this.#packets.pop();
    if (held === undefined) return;
    if (this.#packets.length > 0) this.#writeHeld(this.#granules - this.#granulesOfLast, 0);
    this.#packets = [held];
    this.#segments = Math.floor(held.length / 255) + 1;
  }

  /** @param granules end position; decoders drop samples after it */
  end(granules: number): void {
    this.#writeHeld(granules, LAST_PAGE);
  }

  #writeHeld(granules: number, flags: number): void {
    this.emit(this.#page(this.#packets, granules, flags));
    this.#packets = [];
    this.#segments = 0;
  }

  #page(packets: readonly Uint8Array[], granules: number, flags: number): Uint8Array<ArrayBuffer> {
    const lacing = packets.flatMap(({ length }) => [
      ...Array<number>(Math.floor(length / 255)).fill(255),
      length % 255,
    ]);
    const bodyBytes = packets.reduce((sum, { length }) => sum + length, 0);
    const page = new Uint8Array(PAGE_HEADER_BYTES + lacing.length + bodyBytes);
    const view = new DataView(page.buffer);
    page.set([0x4f, 0x67, 0x67, 0x53, 0, flags]);
    view.setBigUint64(6, BigInt(granules), true);
    view.setUint32(14, this.#serial, true);
    view.setUint32(18, this.#sequence++, true);
    view.setUint8(26, lacing.length);
    page.set(lacing, PAGE_HEADER_BYTES);
    let at = PAGE_HEADER_BYTES + lacing.length;
    for (const packet of packets) {
      page.set(packet, at);
      at += packet.length;
    }
    view.setUint32(22, oggCrc(page), true);
    return page;
  }
}

function identification({ preSkip, inputSampleRate }: OggOpusOptions): Uint8Array {
  const header = Buffer.alloc(19);
  header.write('OpusHead', 0, 'latin1');
  header[8] = 1;
  header[9] = 1;
  header.writeUInt16LE(preSkip, 10);
  header.writeUInt32LE(inputSampleRate, 12);
  return header;
}

function comment(): Uint8Array {
  const header = Buffer.alloc(8 + 4 + VENDOR.length + 4);
  header.write('OpusTags', 0, 'latin1');
  header.writeUInt32LE(VENDOR.length, 8);
  header.write(VENDOR, 12, 'latin1');
  return header;
}

/** Returns the CRC-32 that RFC 3533, section 6, defines: polynomial 0x04C11DB7, not reflected, initial value zero. */
function oggCrc(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0);
  return crc >>> 0;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let entry = index << 24;
  for (let bit = 0; bit < 8; bit += 1) entry = entry & 0x80000000 ? (entry << 1) ^ 0x04c11db7 : entry << 1;
  return entry;
});

function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
