import { asciiAt, type ByteWindow, numberAt } from './audio-bytes';
import { UnmeasurableAudio } from './unmeasurable-audio';

const BOX_HEAD_BYTES = 8;
/** Bytes of a box that are needed: enough for a sample description with its decoder configuration. */
const CONTENT_BYTES_MAX = 1_024;
const TRACKS_MAX = 128;
/** Boxes (ISO/IEC 14496-12) whose children are read. All others are skipped. */
const ENTERED = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);
const SAMPLES_PER_PACKET = 1_024;
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
    if (name === 'trak') tracks.push({ id: 0, isAudio: false, sampleRate: null, packets: 0 });
    if (tracks.length > TRACKS_MAX || fragments.size > TRACKS_MAX)
      throw new UnmeasurableAudio('The MP4 file has too many tracks.');
    if (name === 'tfhd') fragment = numberAt(content, 4, 4);
    else if (name === 'trun') fragments.set(fragment, (fragments.get(fragment) ?? 0) + numberAt(content, 4, 4));
    else describe(tracks.at(-1), name, content);
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
  else if (name === 'stsd') track.sampleRate = aacRate(content);
  else if (name === 'stsz' || name === 'stz2') track.packets += numberAt(content, 8, 4);
}

/** Returns the sample rate in a sample description of AAC; null for another codec. */
function aacRate(description: Uint8Array): number | null {
  const isOne = numberAt(description, 4, 4) === 1;
  const entry = description.subarray(8);
  if (!isOne || asciiAt(entry, 4, 4) !== 'mp4a') return null;
  // QuickTime's version 1 has 16 more bytes, and its boxes may be within "wave".
  const version = numberAt(entry, 16, 2);
  if (version > 1) return null;
  const decoder = childOf(entry.subarray(version === 1 ? 52 : 36), 'esds');
  return decoder && decoderRate(decoder.subarray(4));
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

/** Returns the rate in the descriptors of "esds" (ISO/IEC 14496-1): stream, decoder, decoder configuration. */
function decoderRate(descriptors: Uint8Array): number | null {
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
  return rate > 0 ? rate : null;
}

function damaged(): UnmeasurableAudio {
  return new UnmeasurableAudio('The MP4 file is damaged, so its length cannot be measured.');
}
