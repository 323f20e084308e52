import { asciiAt, type ByteWindow, littleEndianAt, UnmeasurableAudio } from './audio-bytes';
import { opusPacketSeconds } from './opus-packet';

const HEAD_BYTES = 27;
const FULL_SEGMENT = 255;
const CHECKSUM_AT = 22;
const CHECKSUM_BYTES = 4;
/** Table for the checksum (RFC 3533, section 6), with an entry for each byte value. */
const CHECKSUMS = Int32Array.from({ length: 256 }, (_none, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value;
});
/** Number of packets before the sound: OpusHead and OpusTags (RFC 7845, section 3). */
const HEADER_PACKETS = 2;
const STREAMS_MAX = 64;

interface Stream {
  packets: number;
  /** True if the packet in the last segment continues on the next page. */
  isWithinPacket: boolean;
}

/**
 * Measures the duration of Opus audio in Ogg by its packets (RFC 3533, RFC 7845). Adds up all streams, whether they
 * follow each other or run in parallel.
 */
export async function oggSeconds(bytes: ByteWindow): Promise<number> {
  const streams = new Map<number, Stream>();
  let seconds = 0;
  let begun = 0;
  for (let at = 0; at < bytes.length;) {
    const head = bytes.held(at, HEAD_BYTES + 255) ?? (await bytes.load(at, HEAD_BYTES + 255));
    if (asciiAt(head, 0, 4) !== 'OggS' || head[4] !== 0)
      throw new UnmeasurableAudio('The Ogg file is damaged, so its length cannot be measured.');
    const segments = head[26] ?? 0;
    const sizes = head.slice(HEAD_BYTES, HEAD_BYTES + segments);
    if (head.length < HEAD_BYTES || sizes.length < segments)
      throw new UnmeasurableAudio('The Ogg file ends early, so its length cannot be measured.');
    const flags = head[5] as number;
    const serial = littleEndianAt(head, 14, 4);
    const body = at + HEAD_BYTES + segments;
    const pageBytes = sizes.reduce((sum, size) => sum + size, HEAD_BYTES + segments);
    const page = bytes.held(at, pageBytes) ?? (await bytes.load(at, pageBytes));
    // Refuses a damaged page, because decoders would search its bytes for another page.
    if (page.length < pageBytes || checksumOf(page) !== littleEndianAt(page, CHECKSUM_AT, CHECKSUM_BYTES))
      throw new UnmeasurableAudio('The Ogg file is damaged or ends early, so its length cannot be measured.');
    if ((flags & 2) !== 0) {
      if (begun++ >= STREAMS_MAX) throw new UnmeasurableAudio('The Ogg file has too many streams.');
      await requireOpus(bytes, body);
      streams.set(serial, { packets: 0, isWithinPacket: false });
    }
    const stream = streams.get(serial);
    if (!stream) throw new UnmeasurableAudio('The Ogg file has a page of an unknown stream.');
    // An unfinished packet ends here, unless flag 1 says that this page continues it.
    if ((flags & 1) === 0) stream.isWithinPacket = false;
    let place = body;
    for (const size of sizes) {
      if (!stream.isWithinPacket && stream.packets++ >= HEADER_PACKETS)
        seconds += opusPacketSeconds((bytes.held(place, 2) ?? (await bytes.load(place, 2))).subarray(0, size));
      stream.isWithinPacket = size === FULL_SEGMENT;
      place += size;
    }
    at = place;
  }
  return seconds;
}

function checksumOf(page: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < page.length; at++) {
    const isField = at >= CHECKSUM_AT && at < CHECKSUM_AT + CHECKSUM_BYTES;
    const byte = isField ? 0 : (page[at] as number);
    sum = (sum << 8) ^ (CHECKSUMS[(sum >>> 24) ^ byte] as number);
  }
  return sum >>> 0;
}

async function requireOpus(bytes: ByteWindow, body: number): Promise<void> {
  const start = bytes.held(body, 8) ?? (await bytes.load(body, 8));
  if (asciiAt(start, 0, 8) !== 'OpusHead')
    throw new UnmeasurableAudio('Only Opus can be measured in an Ogg file, and this file has another codec.');
}
