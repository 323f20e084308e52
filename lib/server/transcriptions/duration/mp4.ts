import { asciiAt, type ByteWindow, CONTAINER_DEPTH_MAX, numberAt, UnmeasurableAudio } from './audio-bytes';
import { type Aac, aacOf } from './mp4-aac';
import { type Box, damaged, Mp4Samples } from './mp4-samples';

const BOX_HEAD_BYTES = 8;
/** Number of bytes to read from a box. It is enough for a sample description with its decoder configuration. */
const CONTENT_BYTES_MAX = 1_024;
const TRACKS_MAX = 128;
const EDITS_MAX = 16;
/**
 * Boxes (ISO/IEC 14496-12) to enter, because decoders read sample tables in any of them. All other boxes are skipped.
 */
const ENTERED = new Set(
  'moov trak mdia minf stbl mvex moof traf udta meta ilst edts dinf tref wave sinf schi'.split(' '),
);
/** Boxes to refuse, because some decoders read their content in ways that this code does not. */
const REFUSED = new Set(['cmov', 'hoov', 'iprp']);
/** Tables of a track's samples. Decoders disagree about a track with two tables of one kind. */
const TABLES = new Set(['stsz', 'stz2', 'stco', 'co64', 'stsc', 'stts']);
const TABLE_HEAD_BYTES = 16;
/** Decoders treat a larger value as negative, and use 1 instead. */
const TICKS_MAX = 0x7fffffff;
const SAMPLES_PER_BLOCK = 1_024;

interface Track {
  id: number;
  isAudio: boolean;
  edits: number;
  /** The decoder; null if the codec is unknown. */
  aac: Aac | null;
  tables: Map<string, Box>;
  /** File offset after the last sample of a fragment. */
  next: number;
  blocks: number;
}

/** Values in a fragment's header that apply to its runs of samples. */
interface Fragment {
  id: number;
  base: number;
  /** Size of every sample, used if a run states no sizes. */
  shared: number;
}

/**
 * Measures the AAC sound of MP4, M4A or QuickTime by the blocks in its samples. Files may have fragments. Ignores the
 * stated times of samples, because a decoder plays every block of a sample in full. Returns the duration of the longest
 * audio track.
 */
export async function mp4Seconds(bytes: ByteWindow): Promise<number> {
  const tracks: Track[] = [];
  const samples = new Mp4Samples(bytes);
  /** Default sample size of each track, for fragments that state no sizes. */
  const sizes = new Map<number, number>();
  let fragment: Fragment | null = null;
  /** Offset of the current "moof" box, and the number of "tfhd" boxes in it so far. */
  let [moof, parts] = [0, 0];
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
    // Decoders truncate a box that extends past the end of its parent, and continue to read.
    if (size < headBytes || at + size > end) throw damaged();
    if (REFUSED.has(name)) throw damaged();
    const content = head.subarray(headBytes, Math.min(size, headBytes + CONTENT_BYTES_MAX));
    if (name === 'trak')
      tracks.push({ id: 0, isAudio: false, edits: 0, aac: null, tables: new Map(), next: 0, blocks: 0 });
    if (tracks.length > TRACKS_MAX || sizes.size > TRACKS_MAX)
      throw new UnmeasurableAudio('The MP4 file has too many tracks.');
    const box = { content, at: at + headBytes, size: size - headBytes };
    const track = tracks.at(-1);
    if (name === 'trex') sizes.set(numberAt(content, 4, 4), numberAt(content, 16, 4));
    else if (name === 'moof') {
      // Decoders disagree about where a fragment with a 64-bit size starts.
      if (isLong) throw damaged();
      [moof, parts] = [at, 0];
    } else if (name === 'tfhd') fragment = fragmentOf(content, { moof, isFirst: parts++ === 0, sizes });
    else if (name === 'trun') {
      const sounding = tracks.find(({ id }) => id === fragment?.id);
      if (!fragment || !sounding) throw damaged();
      if (sounding.isAudio && sounding.aac) await samples.ofRun({ box, ...fragment }, sounding, sounding.aac);
    } else describe(track, name, box);
    if (!ENTERED.has(name)) at += size;
    else {
      if (ends.push(at + size) > CONTAINER_DEPTH_MAX) throw damaged();
      at += headBytes + (name === 'meta' ? beforeHandler(box) : 0);
    }
  }
  if (new Set(tracks.map(({ id }) => id)).size < tracks.length) throw damaged();
  let seconds = 0;
  for (const track of tracks.filter(({ isAudio }) => isAudio)) {
    const { aac, edits, tables } = track;
    if (edits > 1)
      throw new UnmeasurableAudio('The MP4 file plays parts of its sound in an edit list. Export it without edits.');
    if (aac === null)
      throw new UnmeasurableAudio('Only AAC-LC can be measured in an MP4 file, and this file has another codec.');
    track.next = 0;
    await samples.ofTrack(tables, track, aac);
    seconds = Math.max(seconds, (track.blocks * SAMPLES_PER_BLOCK) / aac.sampleRate);
  }
  return seconds;
}

/** Returns the number of bytes before the first box in "meta". MP4 has a version there, and QuickTime does not. */
function beforeHandler({ content, size }: Box): number {
  for (let at = 0; at + BOX_HEAD_BYTES <= content.length; at += 4)
    if (asciiAt(content, at + 4, 4) === 'hdlr') return at;
  if (size > content.length) throw damaged();
  return size;
}

function describe(track: Track | undefined, name: string, { content, at, size }: Box): void {
  // Decoders apply an "esds" outside a sample description to the previous track.
  if (name === 'esds') throw damaged();
  if (!track) return;
  if (name === 'elst') track.edits += editsOf(content);
  else if (name === 'tkhd') track.id = numberAt(content, content[0] === 1 ? 20 : 12, 4);
  else if (name === 'hdlr') track.isAudio ||= asciiAt(content, 8, 4) === 'soun';
  else if (name === 'stsd') track.aac = size > content.length ? null : aacOf(content);
  else if (TABLES.has(name)) {
    if (track.tables.has(name)) throw damaged();
    // If each sample of a track lasts one tick, decoders ignore the sizes of samples.
    const tick = numberAt(content, 12, 4);
    if (name === 'stts' && numberAt(content, 4, 4) === 1 && (tick === 1 || tick > TICKS_MAX)) throw damaged();
    track.tables.set(name, { at, size, content: content.slice(0, TABLE_HEAD_BYTES) });
  }
}

/** Returns the maximum number of times that an edit list plays the sound. */
function editsOf(content: Uint8Array): number {
  const [count, isLong] = [numberAt(content, 4, 4), content[0] === 1];
  const [entry, word] = isLong ? [20, 8] : [12, 4];
  if (count > EDITS_MAX) return count;
  let edits = 0;
  // An edit with the media time -1 is silence.
  for (let at = 8; at < 8 + count * entry; at += entry)
    if (content.subarray(at + word, at + 2 * word).some((byte) => byte !== 255)) edits++;
  return edits;
}

function fragmentOf(
  content: Uint8Array,
  { moof, isFirst, sizes }: { moof: number; isFirst: boolean; sizes: ReadonlyMap<number, number> },
): Fragment {
  const flags = numberAt(content, 1, 3);
  const has = (flag: number, length: number): number => ((flags & flag) === 0 ? 0 : length);
  const id = numberAt(content, 4, 4);
  // Without a stated start, a later part of a fragment starts at the previous part's end, which is unknown here.
  if ((flags & 0x20001) === 0 && !isFirst) throw damaged();
  const size = 8 + has(1, 8) + has(2, 4) + has(8, 4);
  return {
    id,
    base: has(1, 8) > 0 ? numberAt(content, 8, 8) : moof,
    shared: (flags & 0x10) === 0 ? (sizes.get(id) ?? 0) : numberAt(content, size, 4),
  };
}
