import { asciiAt, type ByteWindow, numberAt, UnmeasurableAudio, WINDOW_BYTES } from './audio-bytes';

const BOX_HEAD_BYTES = 8;
/** Number of bytes to read from a box. It is enough for a sample description with its decoder configuration. */
const CONTENT_BYTES_MAX = 1_024;
const TRACKS_MAX = 128;
/**
 * Boxes (ISO/IEC 14496-12) to enter, because decoders read tables of sound in all of these. All other boxes are
 * skipped.
 */
const ENTERED = new Set(
  'moov trak mdia minf stbl mvex moof traf udta meta ilst edts dinf tref wave sinf schi'.split(' '),
);
/** Boxes to refuse. Some decoders find other boxes in them in ways that this code does not follow. */
const REFUSED = new Set(['cmov', 'hoov', 'iprp']);
/** Boxes that must not be inside a sample description. */
const MEASURED = ['moov', 'moof', 'stsd', 'stsz', 'stz2', 'tkhd', 'tfhd', 'trex', 'trun', 'hdlr'];
const SAMPLES_PER_PACKET = 1_024;
/** Maximum bytes per channel in an AAC packet (ISO/IEC 14496-3, section 4.5.3). */
const PACKET_BYTES_MAX = 768;
const CHANNELS_MAX = 8;
const SAMPLE_BYTES_MAX = 0xffffffff;
/** Sample rates of AAC (ISO/IEC 14496-3, table 1.18). */
const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
/**
 * AAC Main, LC, SSR, LTP, and LC with SBR or PS. Their packets have 1,024 samples at the sample rate that is stated
 * first.
 */
const AUDIO_OBJECT_TYPES = new Set([1, 2, 3, 4, 5, 29]);
const AAC = new Set([0x40, 0x66, 0x67, 0x68]);

interface Box {
  content: Uint8Array;
  at: number;
  size: number;
}

interface Track {
  id: number;
  isAudio: boolean;
  /** The decoder's sample rate in Hz; null if the codec is unknown. */
  sampleRate: number | null;
  channels: number;
  packets: number;
}

/**
 * Measures the AAC sound of MP4, M4A or QuickTime by its packets. Files may have fragments. The stated times of samples
 * are ignored, because a decoder plays whole packets. If there are several audio tracks, returns the longest duration.
 */
export async function mp4Seconds(bytes: ByteWindow): Promise<number> {
  const tracks: Track[] = [];
  const fragments = new Map<number, number>();
  /** Default sample size of each track, for fragments that state no sizes. */
  const sizes = new Map<number, number>();
  let fragment = 0;
  let shared = 0;
  /** End offsets of the boxes that contain the current box. */
  const ends: number[] = [];
  for (let at = 0; at + BOX_HEAD_BYTES <= bytes.length;) {
    const end = ends.at(-1) ?? Infinity;
    if (at + BOX_HEAD_BYTES > end) {
      at = ends.pop() as number;
      continue;
    }
    const wanted = BOX_HEAD_BYTES * 2 + CONTENT_BYTES_MAX;
    const head = bytes.held(at, wanted) ?? (await bytes.load(at, wanted));
    const name = asciiAt(head, 4, 4);
    const isLong = numberAt(head, 0, 4) === 1;
    const headBytes = isLong ? BOX_HEAD_BYTES * 2 : BOX_HEAD_BYTES;
    const stated = isLong ? numberAt(head, BOX_HEAD_BYTES, 8) : numberAt(head, 0, 4);
    const size = stated === 0 ? Math.min(end, bytes.length) - at : stated;
    // Decoders cut such a box off at the end of the box around it, and continue to read there.
    if (size < headBytes || at + size > end) throw damaged();
    if (REFUSED.has(name)) throw damaged();
    const content = head.subarray(headBytes, Math.min(size, headBytes + CONTENT_BYTES_MAX));
    if (name === 'trak') tracks.push({ id: 0, isAudio: false, sampleRate: null, channels: 1, packets: 0 });
    if (tracks.length > TRACKS_MAX || fragments.size > TRACKS_MAX || sizes.size > TRACKS_MAX)
      throw new UnmeasurableAudio('The MP4 file has too many tracks.');
    const box = { content, at: at + headBytes, size: size - headBytes };
    const track = tracks.at(-1);
    if (name === 'trex') sizes.set(numberAt(content, 4, 4), numberAt(content, 16, 4));
    else if (name === 'tfhd') {
      fragment = numberAt(content, 4, 4);
      shared = fragmentSize(content) ?? sizes.get(fragment) ?? 0;
    } else if (name === 'trun') {
      const channels = tracks.find(({ id }) => id === fragment)?.channels ?? 1;
      fragments.set(fragment, (fragments.get(fragment) ?? 0) + (await runPackets(bytes, box, shared, channels)));
    } else if (name === 'stsz' || name === 'stz2') {
      if (track) track.packets += await trackPackets(bytes, name, box, track.channels);
    } else describe(track, name, box);
    if (!ENTERED.has(name)) at += size;
    else {
      ends.push(at + size);
      at += headBytes + (name === 'meta' ? beforeHandler(box) : 0);
    }
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

/** Returns the number of bytes before the first box in "meta". MP4 has a version there, and QuickTime does not. */
function beforeHandler({ content, size }: Box): number {
  for (let at = 0; at + BOX_HEAD_BYTES <= content.length; at += 4)
    if (asciiAt(content, at + 4, 4) === 'hdlr') return at;
  if (size > content.length) throw damaged();
  return size;
}

function describe(track: Track | undefined, name: string, { content, size }: Box): void {
  // This box belongs in a sample description. Here, decoders would apply it to the track before it.
  if (name === 'esds') throw damaged();
  if (!track) return;
  if (name === 'tkhd') track.id = numberAt(content, content[0] === 1 ? 20 : 12, 4);
  else if (name === 'hdlr') track.isAudio ||= asciiAt(content, 8, 4) === 'soun';
  else if (name === 'stsd') {
    const aac = size > content.length ? null : aacOf(content);
    track.sampleRate = aac?.sampleRate ?? null;
    track.channels = aac?.channels ?? 1;
  }
}

interface SizeTable {
  at: number;
  bytes: number;
  /** Number of bytes in one entry. `stride` is the number of bytes from one entry to the next. */
  width: number;
  stride: number;
}

function packetsIn(sampleBytes: number, channels: number): number {
  return Math.max(1, Math.ceil(sampleBytes / (PACKET_BYTES_MAX * channels)));
}

async function trackPackets(bytes: ByteWindow, name: string, box: Box, channels: number): Promise<number> {
  const { content, at, size } = box;
  const samples = numberAt(content, 8, 4);
  const shared = name === 'stsz' ? numberAt(content, 4, 4) : 0;
  if (shared > 0) return samples * packetsIn(shared, channels);
  const width = name === 'stsz' ? 4 : (content[7] ?? 0) / 8;
  if (![0.5, 1, 2, 4].includes(width)) throw damaged();
  // If the size of each sample fits into one byte, each sample is at most one packet.
  if (width < 2) return samples;
  return listedPackets(bytes, { at: at + 12, bytes: size - 12, width, stride: width }, samples, channels);
}

/**
 * Returns the number of packets in a run of a fragment.
 * @param shared the size of every sample, used if the run states no sizes
 */
async function runPackets(bytes: ByteWindow, box: Box, shared: number, channels: number): Promise<number> {
  const { content, at, size } = box;
  const flags = numberAt(content, 1, 3);
  const samples = numberAt(content, 4, 4);
  if ((flags & 0x200) === 0) return samples * packetsIn(shared, channels);
  const has = (flag: number): number => ((flags & flag) === 0 ? 0 : 4);
  const start = 8 + has(1) + has(4) + has(0x100);
  const stride = 4 + has(0x100) + has(0x400) + has(0x800);
  return listedPackets(bytes, { at: at + start, bytes: size - start, width: 4, stride }, samples, channels);
}

async function listedPackets(bytes: ByteWindow, table: SizeTable, samples: number, channels: number): Promise<number> {
  const { at, width, stride } = table;
  const there = Math.max(0, Math.min(table.bytes, bytes.length - at));
  const listed = Math.min(samples, Math.floor((there + stride - width) / stride));
  // Samples that the table does not list count with the largest possible size.
  let sum = (samples - listed) * packetsIn(SAMPLE_BYTES_MAX, channels);
  for (let index = 0; index < listed;) {
    const from = at + index * stride;
    const wanted = Math.min(WINDOW_BYTES, (listed - index) * stride);
    const part = bytes.held(from, wanted) ?? (await bytes.load(from, wanted));
    const count = Math.min(listed - index, Math.floor((part.length + stride - width) / stride));
    if (count === 0) throw damaged();
    for (let place = 0; place < count * stride; place += stride)
      sum += packetsIn(numberAt(part, place, width), channels);
    index += count;
  }
  return sum;
}

function fragmentSize(content: Uint8Array): number | null {
  const flags = numberAt(content, 1, 3);
  const has = (flag: number, length: number): number => ((flags & flag) === 0 ? 0 : length);
  return (flags & 0x10) === 0 ? null : numberAt(content, 8 + has(1, 8) + has(2, 4) + has(8, 4), 4);
}

interface Aac {
  sampleRate: number;
  channels: number;
}

function aacOf(description: Uint8Array): Aac | null {
  const text = asciiAt(description, 0, description.length);
  if (text.indexOf('esds') !== text.lastIndexOf('esds') || MEASURED.some((name) => text.includes(name))) return null;
  const isOne = numberAt(description, 4, 4) === 1;
  const entry = description.subarray(8);
  if (!isOne || asciiAt(entry, 4, 4) !== 'mp4a') return null;
  // QuickTime's version 1 has 16 more bytes here, and its boxes may be inside "wave".
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
 * @param stated the number of channels in the sample description, used only if the decoder configuration states none,
 * because some programs always write 2
 */
function decoderOf(descriptors: Uint8Array, stated: number): Aac | null {
  let at = 0;
  /** Skips a tag and its length. @returns whether the tag is the expected tag */
  const enters = (tag: number): boolean => {
    if (descriptors[at++] !== tag) return false;
    while (((descriptors[at] ?? 0) & 128) !== 0) at++;
    at++;
    return true;
  };
  if (!enters(3)) return null;
  const flags = descriptors[at + 2] ?? 0;
  // These flags announce optional fields: another stream, a URL, a clock.
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
