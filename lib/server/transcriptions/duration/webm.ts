import {
  asciiAt,
  type ByteWindow,
  CONTAINER_DEPTH_MAX,
  numberAt,
  UnmeasurableAudio,
  WINDOW_BYTES,
} from './audio-bytes';
import { opusPacketSeconds } from './opus-packet';

/** Maximum bytes of an element's id and size fields together. */
const HEAD_BYTES = 12;
const VALUE_BYTES_MAX = 64;
const UNSIGNED_BYTES_MAX = 8;
const TRACKS_MAX = 128;

/** Elements (RFC 9559) to enter. All other elements are skipped. */
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const BLOCK_GROUP = 0xa0;
const SEEK_HEAD = 0x114d9b74;
const SEEK = 0x4dbb;
const ENTERED = new Set([SEGMENT, CLUSTER, TRACKS, TRACK_ENTRY, BLOCK_GROUP, SEEK_HEAD, SEEK]);
const SEEK_ID = 0x53ab;
/** Ids of the elements at which decoders continue after a fault: Cluster and Tracks. */
const RESUMED = [CLUSTER, TRACKS].map((id) => Buffer.from(id.toString(16), 'hex'));
const ID_BYTES_MAX = 4;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const CONTENT_ENCODINGS = 0x6d80;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;
const AUDIO = 2;
const LACING = 0x06;

interface Track {
  number: number;
  isAudio: boolean;
  codec: string;
  isEncoded: boolean;
}

/**
 * Measures the Opus sound of WebM or Matroska by its packets. Blocks are counted before their track is known, because
 * the list of tracks may come last. If there are several audio tracks, returns the longest duration, because players
 * play only one track.
 */
export async function webmSeconds(bytes: ByteWindow): Promise<number> {
  const tracks: Track[] = [];
  const secondsOf = new Map<number, number>();
  const laced = new Set<number>();
  let entryEnd = 0;
  /** End offsets of the elements that contain the current element. Unknown ends are left out. */
  const ends: number[] = [];
  for (let at = 0; at < bytes.length;) {
    while (at >= (ends.at(-1) ?? Infinity)) ends.pop();
    const head = bytes.held(at, HEAD_BYTES + VALUE_BYTES_MAX) ?? (await bytes.load(at, HEAD_BYTES + VALUE_BYTES_MAX));
    const idBytes = vintBytes(head[0]);
    const sizeBytes = vintBytes(head[idBytes]);
    if (idBytes === 0 || idBytes > ID_BYTES_MAX || sizeBytes === 0 || idBytes + sizeBytes > head.length)
      throw damaged();
    const id = numberAt(head, 0, idBytes);
    const size = vintAt(head, idBytes, sizeBytes);
    const value = head.subarray(idBytes + sizeBytes);
    at += idBytes + sizeBytes;
    if (at + (size ?? 0) > (ends.at(-1) ?? Infinity)) throw damaged();
    if (id === TRACK_ENTRY) {
      if (size === null || at < entryEnd) throw damaged();
      entryEnd = at + size;
      tracks.push({ number: 0, isAudio: false, codec: '', isEncoded: false });
    }
    if (tracks.length > TRACKS_MAX || secondsOf.size > TRACKS_MAX)
      throw new UnmeasurableAudio('The WebM file has too many tracks.');
    if (ENTERED.has(id)) {
      if (size !== null && ends.push(at + size) > CONTAINER_DEPTH_MAX) throw damaged();
      continue;
    }
    if (size === null) throw damaged();
    let isSound = false;
    if (id === BLOCK || id === SIMPLE_BLOCK) {
      const numberBytes = vintBytes(value[0]);
      const track = numberBytes === 0 ? null : vintAt(value, 0, numberBytes);
      if (track === null || size < numberBytes + 3) throw damaged();
      // The track number is followed by a two-byte time, then by the flags.
      isSound = ((value[numberBytes + 2] ?? 0) & LACING) === 0;
      if (!isSound) laced.add(track);
      const packet = value.subarray(numberBytes + 3, Math.min(size, numberBytes + 5));
      secondsOf.set(track, (secondsOf.get(track) ?? 0) + opusPacketSeconds(packet));
    } else if (at < entryEnd) {
      if (at + size > entryEnd) throw damaged();
      describe(tracks.at(-1), id, value.subarray(0, size));
    }
    // If an element extends past the end of the file, decoders search all bytes for clusters, and may play clusters
    // that were not counted here.
    if (at + size > bytes.length) throw damaged();
    if (!isSound && !(id === SEEK_ID && size <= ID_BYTES_MAX) && (await isResumedIn(bytes, at, size))) throw damaged();
    at += size;
  }
  // Decoders also search for clusters after a block whose track is unknown.
  if ([...secondsOf.keys()].some((track) => !tracks.some(({ number }) => number === track))) throw damaged();
  const sounds = tracks.filter(({ isAudio }) => isAudio);
  for (const { codec, isEncoded, number } of sounds)
    if (codec !== 'A_OPUS' || isEncoded || laced.has(number))
      throw new UnmeasurableAudio('Only plain Opus can be measured in a WebM file, and this file has other sound.');
  return Math.max(0, ...sounds.map(({ number }) => secondsOf.get(number) ?? 0));
}

async function isResumedIn(bytes: ByteWindow, from: number, size: number): Promise<boolean> {
  for (let done = 0; done + ID_BYTES_MAX <= size;) {
    const length = Math.min(size - done, WINDOW_BYTES);
    const part = Buffer.from(bytes.held(from + done, length) ?? (await bytes.load(from + done, length)));
    if (part.length < length) return false;
    if (RESUMED.some((id) => part.includes(id))) return true;
    done += length < WINDOW_BYTES ? length : length - ID_BYTES_MAX + 1;
  }
  return false;
}

function describe(track: Track | undefined, id: number, value: Uint8Array): void {
  if (!track) return;
  if (id === TRACK_NUMBER) track.number = unsigned(value);
  else if (id === TRACK_TYPE) track.isAudio = unsigned(value) === AUDIO;
  else if (id === CODEC_ID) track.codec = asciiAt(value, 0, value.length).replace(/\0+$/, '');
  else if (id === CONTENT_ENCODINGS) track.isEncoded = true;
}

function unsigned(value: Uint8Array): number {
  if (value.length > UNSIGNED_BYTES_MAX) throw damaged();
  return numberAt(value, 0, value.length);
}

/** Returns the length of a variable-length integer from its first byte (RFC 8794, section 4); 0 if invalid. */
function vintBytes(first: number | undefined): number {
  return first === undefined || first === 0 ? 0 : Math.clz32(first) - 23;
}

/** Returns the value of a variable-length integer; null for the reserved value that means an unknown size. */
function vintAt(bytes: Uint8Array, at: number, length: number): number | null {
  const isUnknown = bytes
    .subarray(at, at + length)
    .every((byte, index) => byte === (index === 0 ? 0xff >>> (length - 1) : 0xff));
  if (isUnknown) return null;
  let value = (bytes[at] as number) & (0xff >>> length);
  for (let index = at + 1; index < at + length; index++) value = value * 256 + (bytes[index] as number);
  return value;
}

function damaged(): UnmeasurableAudio {
  return new UnmeasurableAudio('The WebM file is damaged or ends early, so its length cannot be measured.');
}
