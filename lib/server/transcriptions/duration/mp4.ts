import { asciiAt, type ByteWindow, numberAt, WINDOW_BYTES } from './audio-bytes';
import { UnmeasurableAudio } from './unmeasurable-audio';

const BOX_HEAD_BYTES = 8;
/** Bytes of a box that are needed: enough for a sample description with its decoder configuration. */
const CONTENT_BYTES_MAX = 1_024;
const TRACKS_MAX = 128;
/** Boxes (ISO/IEC 14496-12) whose children are read. All others are skipped. */
const ENTERED = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);
const SAMPLES_PER_PACKET = 1_024;
/** Longest AAC packet, for each channel (ISO/IEC 14496-3, section 4.5.3). */
const PACKET_BYTES_MAX = 768;
const CHANNELS_MAX = 8;
const SAMPLE_BYTES_MAX = 0xffffffff;
/** Sample rates of AAC (ISO/IEC 14496-3, table 1.18). */
const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
/** AAC Main, LC, SSR, LTP, and LC with SBR or PS. Their packets have 1,024 samples at the first stated rate. */
const AUDIO_OBJECT_TYPES = new Set([1, 2, 3, 4, 5, 29]);
const AAC = new Set([0x40, 0x66, 0x67, 0x68]);

interface Track {
  id: number;
  isAudio: boolean;
  /** Rate of the decoder, in samples per second; null if the codec is unknown. */
  sampleRate: number | null;
  channels: number;
  packets: number;
}

/**
 * Measures the AAC sound of MP4, M4A or QuickTime by its packets, also in fragments. The times of samples are ignored,
 * because a decoder returns the whole packets. Of several audio tracks, the longest is measured.
 */
export async function mp4Seconds(bytes: ByteWindow): Promise<number> {
  const tracks: Track[] = [];
  const fragments = new Map<number, number>();
  let fragment = 0;
  for (let at = 0; at + BOX_HEAD_BYTES <= bytes.length;) {
    const wanted = BOX_HEAD_BYTES * 2 + CONTENT_BYTES_MAX;
    const head = bytes.held(at, wanted) ?? (await bytes.load(at, wanted));
    const name = asciiAt(head, 4, 4);
    const isLong = numberAt(head, 0, 4) === 1;
    const headBytes = isLong ? BOX_HEAD_BYTES * 2 : BOX_HEAD_BYTES;
    const stated = isLong ? numberAt(head, BOX_HEAD_BYTES, 8) : numberAt(head, 0, 4);
    const size = stated === 0 ? bytes.length - at : stated;
    if (size < headBytes) throw damaged();
    const content = head.subarray(headBytes, Math.min(size, headBytes + CONTENT_BYTES_MAX));
    if (name === 'trak') tracks.push({ id: 0, isAudio: false, sampleRate: null, channels: 1, packets: 0 });
    if (tracks.length > TRACKS_MAX || fragments.size > TRACKS_MAX)
      throw new UnmeasurableAudio('The MP4 file has too many tracks.');
    if (name === 'tfhd') fragment = numberAt(content, 4, 4);
    else if (name === 'trun') fragments.set(fragment, (fragments.get(fragment) ?? 0) + numberAt(content, 4, 4));
    else if (name === 'stsz' || name === 'stz2') {
      const track = tracks.at(-1);
      if (track)
        track.packets += await packetsOf(bytes, name, { content, at: at + headBytes, size: size - headBytes }, track);
    } else describe(tracks.at(-1), name, content);
    at += ENTERED.has(name) ? headBytes : size;
  }
  const sounds = tracks.filter(({ isAudio }) => isAudio);
  return Math.max(
    0,
    ...sounds.map(({ id, sampleRate, packets }) => {
      if (sampleRate === null)
        throw new UnmeasurableAudio('Only AAC can be measured in an MP4 file, and this file has another codec.');
      return ((packets + (fragments.get(id) ?? 0)) * SAMPLES_PER_PACKET) / sampleRate;
    }),
  );
}

function describe(track: Track | undefined, name: string, content: Uint8Array): void {
  if (!track) return;
  if (name === 'tkhd') track.id = numberAt(content, content[0] === 1 ? 20 : 12, 4);
  else if (name === 'hdlr') track.isAudio ||= asciiAt(content, 8, 4) === 'soun';
  else if (name === 'stsd') {
    const aac = aacOf(content);
    track.sampleRate = aac?.sampleRate ?? null;
    track.channels = aac?.channels ?? 1;
  }
}

/** Returns the packets in a table of sample sizes. A sample that is longer than a packet has several. */
async function packetsOf(
  bytes: ByteWindow,
  name: 'stsz' | 'stz2',
  { content, at, size }: { content: Uint8Array; at: number; size: number },
  { isAudio, channels }: Track,
): Promise<number> {
  const samples = numberAt(content, 8, 4);
  const packets = (sampleBytes: number): number => Math.max(1, Math.ceil(sampleBytes / (PACKET_BYTES_MAX * channels)));
  const shared = name === 'stsz' ? numberAt(content, 4, 4) : 0;
  if (!isAudio || shared > 0) return samples * packets(shared);
  const width = name === 'stsz' ? 4 : (content[7] ?? 0) / 8;
  if (![0.5, 1, 2, 4].includes(width)) throw damaged();
  // Sizes of one byte are never longer than a packet.
  if (width < 2) return samples;
  const listed = Math.min(samples, Math.floor(Math.max(0, Math.min(size, bytes.length - at) - 12) / width));
  // A size that the table lacks can be any.
  let sum = (samples - listed) * packets(SAMPLE_BYTES_MAX);
  for (let index = 0; index < listed;) {
    const part = await bytes.load(at + 12 + index * width, WINDOW_BYTES);
    const count = Math.min(listed - index, Math.floor(part.length / width));
    if (count === 0) throw damaged();
    for (let place = 0; place < count * width; place += width) sum += packets(numberAt(part, place, width));
    index += count;
  }
  return sum;
}

interface Aac {
  sampleRate: number;
  channels: number;
}

/** Returns what a sample description of AAC states; null for another codec. */
function aacOf(description: Uint8Array): Aac | null {
  const isOne = numberAt(description, 4, 4) === 1;
  const entry = description.subarray(8);
  if (!isOne || asciiAt(entry, 4, 4) !== 'mp4a') return null;
  // QuickTime's version 1 has 16 more bytes, and its boxes may be within "wave".
  const version = numberAt(entry, 16, 2);
  if (version > 1) return null;
  const decoder = childOf(entry.subarray(version === 1 ? 52 : 36), 'esds');
  return decoder && decoderOf(decoder.subarray(4), numberAt(entry, 24, 2));
}

function childOf(boxes: Uint8Array, name: string): Uint8Array | null {
  for (let at = 0; at + BOX_HEAD_BYTES <= boxes.length;) {
    const size = numberAt(boxes, at, 4);
    if (size < BOX_HEAD_BYTES) return null;
    const content = boxes.subarray(at + BOX_HEAD_BYTES, at + size);
    const found = asciiAt(boxes, at + 4, 4);
    if (found === name) return content;
    if (found === 'wave') return childOf(content, name);
    at += size;
  }
  return null;
}

/**
 * Reads the descriptors of "esds" (ISO/IEC 14496-1): stream, decoder, decoder configuration.
 *
 * @param stated channels in the sample description, where ffmpeg always writes 2. Used if the decoder has no number
 */
function decoderOf(descriptors: Uint8Array, stated: number): Aac | null {
  let at = 0;
  /** Passes a tag and its length. @returns whether the tag is the expected one */
  const enters = (tag: number): boolean => {
    if (descriptors[at++] !== tag) return false;
    while (((descriptors[at] ?? 0) & 128) !== 0) at++;
    at++;
    return true;
  };
  if (!enters(3)) return null;
  const flags = descriptors[at + 2] ?? 0;
  // Optional fields: another stream, a URL, a clock.
  if ((flags & 0x40) !== 0) return null;
  at += 3 + ((flags & 0x80) === 0 ? 0 : 2) + ((flags & 0x20) === 0 ? 0 : 2);
  if (!enters(4) || !AAC.has(descriptors[at] ?? 0)) return null;
  at += 13;
  if (!enters(5)) return null;
  const bits = numberAt(descriptors, at, 5);
  const shift = (length: number, from: number): number => Math.floor(bits / 2 ** (40 - from - length)) % 2 ** length;
  if (!AUDIO_OBJECT_TYPES.has(shift(5, 0))) return null;
  const code = shift(4, 5);
  const rate = code === 15 ? shift(24, 9) : (SAMPLE_RATES[code] ?? 0);
  const configured = shift(4, code === 15 ? 33 : 9);
  const channels = Math.min(CHANNELS_MAX, Math.max(1, configured === 0 ? stated : configured));
  return rate > 0 ? { sampleRate: rate, channels: configured === 7 ? CHANNELS_MAX : channels } : null;
}

function damaged(): UnmeasurableAudio {
  return new UnmeasurableAudio('The MP4 file is damaged, so its length cannot be measured.');
}
