import { asciiAt, type ByteWindow, numberAt, UnmeasurableAudio } from './audio-bytes';

const HEAD_BYTES = 4;
const TAG_HEAD_BYTES = 10;
const LAST_TAG_BYTES = 128;
const OTHER_BYTES_MAX = 4_096;
/**
 * Number of bytes at the start of a frame to search for "Xing", "Info" or "VBRI". A frame with such a mark has no
 * sound.
 */
const INFO_BYTES = 64;

const LOW_RATES = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** Bit rates in kbit/s by layer: first for MPEG 1, then for MPEG 2 and 2.5 (ISO/IEC 11172-3 and 13818-3). */
const BIT_RATES: Readonly<Record<1 | 2 | 3, readonly [readonly number[], readonly number[]]>> = {
  1: [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  ],
  2: [[32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384], LOW_RATES],
  3: [[32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320], LOW_RATES],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** Bits that are the same in all frame headers of a file: version, layer and sample rate. */
const KIND_BITS = 0x001e0c00;

interface Frame {
  kind: number;
  bytes: number;
  seconds: number;
}

/**
 * Measures MPEG audio, layers 1 to 3, by counting frames. Skips ID3v2 tags at the start, as players do. A header
 * whose kind differs from the first header's does not count as a frame. Like some decoders, continues the search at the
 * next byte.
 */
export async function mp3Seconds(bytes: ByteWindow): Promise<number> {
  let at = await skipTags(bytes);
  const end = await withoutLastTag(bytes);
  let seconds = 0;
  let others = 0;
  let kind: number | null = null;
  while (at + HEAD_BYTES <= end) {
    const head = bytes.held(at, INFO_BYTES) ?? (await bytes.load(at, INFO_BYTES));
    const frame = mpegFrameOf(numberAt(head, 0, HEAD_BYTES));
    if (frame === null || (kind !== null && frame.kind !== kind)) {
      at++;
      // The bytes before the first frame may be sound in a different format.
      if ((kind === null && head[0] !== 0) || ++others > OTHER_BYTES_MAX)
        throw new UnmeasurableAudio('Much of the MP3 file is not audio, so its length cannot be measured.');
      continue;
    }
    if (kind !== null || !/Xing|Info|VBRI/.test(asciiAt(head, 0, head.length))) seconds += frame.seconds;
    kind = frame.kind;
    at += frame.bytes;
  }
  return seconds;
}

/** @throws UnmeasurableAudio for a frame without a bit rate */
export function mpegFrameOf(head: number): Frame | null {
  const [version, layerBits] = [(head >>> 19) & 3, (head >>> 17) & 3];
  const [rate, sampleRateCode] = [(head >>> 12) & 15, (head >>> 10) & 3];
  const isFrame = head >>> 21 === 0x7ff && version !== 1 && layerBits !== 0 && rate !== 15 && sampleRateCode !== 3;
  if (!isFrame) return null;
  if (rate === 0) throw new UnmeasurableAudio('The MP3 file has no stated bit rate, so its length cannot be measured.');
  const layer = (4 - layerBits) as 1 | 2 | 3;
  const isMpeg1 = version === 3;
  const bitRate = (BIT_RATES[layer][isMpeg1 ? 0 : 1][rate - 1] as number) * 1_000;
  const sampleRate = (SAMPLE_RATES[sampleRateCode] as number) / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  const padding = (head >>> 9) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && !isMpeg1 ? 576 : 1_152;
  const bytes =
    layer === 1
      ? (Math.floor((12 * bitRate) / sampleRate) + padding) * 4
      : Math.floor(((samples / 8) * bitRate) / sampleRate) + padding;
  return { kind: head & KIND_BITS, bytes, seconds: samples / sampleRate };
}

async function skipTags(bytes: ByteWindow): Promise<number> {
  let at = 0;
  for (;;) {
    const head = bytes.held(at, TAG_HEAD_BYTES) ?? (await bytes.load(at, TAG_HEAD_BYTES));
    if (head.length < TAG_HEAD_BYTES || asciiAt(head, 0, 3) !== 'ID3') return at;
    // Players do not recognize a tag with such bytes, and search it for frames.
    if (head[3] === 255 || head[4] === 255 || [6, 7, 8, 9].some((place) => (head[place] as number) > 127))
      throw new UnmeasurableAudio('The MP3 file has a damaged ID3 tag, so its length cannot be measured.');
    // The size has seven bits in each byte (ID3v2.4, section 6.2). A flag marks a footer.
    const size = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + ((head[place] as number) & 127), 0);
    at += TAG_HEAD_BYTES + size + (((head[5] as number) & 16) === 0 ? 0 : TAG_HEAD_BYTES);
  }
}

async function withoutLastTag(bytes: ByteWindow): Promise<number> {
  const at = bytes.length - LAST_TAG_BYTES;
  if (at < 0) return bytes.length;
  return asciiAt(await bytes.load(at, 3), 0, 3) === 'TAG' ? at : bytes.length;
}
