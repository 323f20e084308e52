import { type ByteWindow, numberAt, UnmeasurableAudio, WINDOW_BYTES } from './audio-bytes';

const BLOCK_HEAD_BYTES = 4;
const STREAM_INFO_BYTES = 34;
/** Maximum length of a frame header (RFC 9639, section 9.1). */
const FRAME_HEAD_BYTES_MAX = 16;
/** Frames that differ from the first frame are tolerated for this many seconds plus this share of the duration. */
const ODD_SECONDS_MAX = 5;
const ODD_SHARE = 1 / 50;

interface Frame {
  /** Second byte of the header, which shows whether frames or samples are numbered. */
  numbering: number;
  rate: number;
  samples: number;
}

const SAMPLE_RATES = [
  0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
] as const;

/**
 * Measures FLAC by its frame headers (RFC 9639). A frame does not state its length, so this function looks for a header
 * at every byte, as decoders do. Counts headers that have a valid checksum and the same rate and numbering as the first
 * frame. Ignores a small number of other headers, because sound may contain the bytes of a header by chance.
 */
export async function flacSeconds(bytes: ByteWindow): Promise<number> {
  const { start, sampleRate } = await readMetadata(bytes);
  let seconds = 0;
  let odd = 0;
  let first: Frame | null = null;
  for (let at = start; at < bytes.length; at += WINDOW_BYTES - FRAME_HEAD_BYTES_MAX) {
    const window = await bytes.load(at, WINDOW_BYTES);
    const until = Math.min(window.length, WINDOW_BYTES - FRAME_HEAD_BYTES_MAX);
    for (let place = first ? window.indexOf(0xff) : 0; place >= 0 && place < until;) {
      const frame = frameOf(window.subarray(place, place + FRAME_HEAD_BYTES_MAX), sampleRate);
      first ??= frame;
      if (first?.rate !== sampleRate) throw damaged();
      if (frame?.numbering === first.numbering && frame.rate === sampleRate) seconds += frame.samples / sampleRate;
      else if (frame) odd += frame.samples / sampleRate;
      place = window.indexOf(0xff, place + 1);
    }
  }
  if (odd > ODD_SECONDS_MAX + seconds * ODD_SHARE) throw damaged();
  return seconds;
}

async function readMetadata(bytes: ByteWindow): Promise<{ start: number; sampleRate: number }> {
  let sampleRate = 0;
  for (let at = 4; ;) {
    const head = bytes.held(at, BLOCK_HEAD_BYTES + STREAM_INFO_BYTES);
    const block = head ?? (await bytes.load(at, BLOCK_HEAD_BYTES + STREAM_INFO_BYTES));
    if (block.length < BLOCK_HEAD_BYTES) throw damaged();
    const [kind, size] = [block[0] as number, numberAt(block, 1, 3)];
    if ((kind & 127) === 0) sampleRate = numberAt(block, BLOCK_HEAD_BYTES + 10, 3) >>> 4;
    at += BLOCK_HEAD_BYTES + size;
    if ((kind & 128) !== 0) return { start: at, sampleRate };
  }
}

function frameOf(head: Uint8Array, streamRate: number): Frame | null {
  const [first, second, third, fourth] = head;
  if (first !== 0xff || ((second ?? 0) & 0xfe) !== 0xf8 || third === undefined || fourth === undefined) return null;
  if (fourth >>> 4 > 10 || (fourth & 1) !== 0 || ((fourth >>> 1) & 7) === 3) return null;
  const [sizeCode, rateCode] = [third >>> 4, third & 15];
  const numberBytes = codedBytes(head[4] ?? 0xff);
  if (sizeCode === 0 || rateCode === 15 || numberBytes === 0) return null;
  let at = 4 + numberBytes;
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const samples =
    sizeBytes > 0
      ? numberAt(head, at, sizeBytes) + 1
      : sizeCode === 1
        ? 192
        : sizeCode < 6
          ? 144 << sizeCode
          : 1 << sizeCode;
  at += sizeBytes;
  const rateBytes = rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0;
  const rateUnit = rateCode === 12 ? 1_000 : rateCode === 14 ? 10 : 1;
  const rate =
    rateBytes > 0
      ? numberAt(head, at, rateBytes) * rateUnit
      : rateCode === 0
        ? streamRate
        : (SAMPLE_RATES[rateCode] ?? 0);
  at += rateBytes;
  if (at >= head.length || rate === 0 || crc8(head.subarray(0, at)) !== head[at]) return null;
  return { numbering: second as number, rate, samples };
}

/** Returns the byte length of a number in extended UTF-8, given its first byte; 0 if invalid. */
function codedBytes(first: number): number {
  const ones = Math.clz32(~(first << 24));
  return ones === 0 ? 1 : ones === 1 || ones === 8 ? 0 : ones;
}

function crc8(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ ((value & 128) === 0 ? 0 : 0x07)) & 0xff;
  }
  return value;
}

function damaged(): UnmeasurableAudio {
  return new UnmeasurableAudio('The FLAC file is damaged or ends early, so its length cannot be measured.');
}
