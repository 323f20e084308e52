import { type ByteWindow, numberAt, UnmeasurableAudio, WINDOW_BYTES } from './audio-bytes';
import { mpegFrameOf } from './mp3';

/**
 * Step between windows: half a window. A frame that begins in a window's first half is then completely in that window.
 */
const STEP_BYTES = WINDOW_BYTES / 2;
/** Number of bytes to search. FFmpeg looks for frames in the first 5 MB. Other decoders search less. */
const SEARCHED_BYTES = 8 * 1024 * 1024;
const HEAD_BYTES = 7;
/** Decoders accept this many frames in a row as a stream at the start of the samples. */
const FRAMES_AT_START = 3;
/** Decoders accept this many frames in a row as a stream after other bytes. */
const FRAMES_ANYWHERE = 6;
/**
 * Sync words of DTS, TrueHD and IEC 61937. Sound may contain a sync word of 14-bit DTS by chance, so some of the next
 * 16 bits must match too.
 */
const MARKS: readonly { mark: Buffer; next: number; mask: number }[] = [
  ...['7ffe8001', 'fe7f0180', 'f8726fba', '72f81f4e'].map((mark) => ({ mark, next: 0, mask: 0 })),
  { mark: '1fffe800', next: 0x07f0, mask: 0xfff0 },
  { mark: 'ff1f00e8', next: 0xf007, mask: 0xf0ff },
].map(({ mark, ...rest }) => ({ mark: Buffer.from(mark, 'hex'), ...rest }));
const MARK_BYTES = 4;
/**
 * Maximum sync words in plain samples. A compressed stream has more sync words, on average less than `BYTES_PER_MARK`
 * apart.
 */
const MARKS_MAX = 3;
const BYTES_PER_MARK = 32_768;
/** Start of an ID3v2 tag. Decoders also search for frames after a tag. */
const TAG = Buffer.from('ID3');
const AC3_RATES = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];

/**
 * Refuses samples that are really frames of a compressed format. Some decoders, such as FFmpeg, play these frames,
 * which last much longer than samples of the same size.
 *
 * @throws UnmeasurableAudio
 */
export async function refuseHiddenFrames(bytes: ByteWindow, start: number, end: number): Promise<void> {
  const marks = MARKS.map(() => 0);
  let isStart = true;
  const last = Math.min(end, start + SEARCHED_BYTES);
  for (let at = start; at < last; at += STEP_BYTES) {
    const loaded = (await bytes.load(at, WINDOW_BYTES)).subarray(0, end - at);
    const window = Buffer.from(loaded.buffer, loaded.byteOffset, loaded.byteLength);
    const marked = window.subarray(0, STEP_BYTES + MARK_BYTES - 1);
    for (const [index, { mark, next, mask }] of MARKS.entries()) {
      for (let place = marked.indexOf(mark); place >= 0; place = marked.indexOf(mark, place + 1))
        if ((numberAt(window, place + MARK_BYTES, 2) & mask) === next) marks[index] = (marks[index] as number) + 1;
      const found = marks[index] as number;
      if (found > MARKS_MAX && found * BYTES_PER_MARK > at - start) throw hidden();
    }
    const until = Math.min(STEP_BYTES, window.length);
    let place = 0;
    // At the start, decoders skip zeros.
    if (isStart) {
      while (place < until && window[place] === 0) place++;
      isStart = place === until;
      if (window.subarray(place, place + TAG.length).equals(TAG)) throw hidden();
      if (framesFrom(window, place) >= FRAMES_AT_START) throw hidden();
    }
    for (; place < until; place++)
      if (isLikely(window, place) && framesFrom(window, place) >= FRAMES_ANYWHERE) throw hidden();
  }
}

function isLikely(window: Buffer, place: number): boolean {
  const byte = window[place] as number;
  if (byte !== 0xff) return byte === 0x56 || byte === 0x0b || byte === 0x77;
  const second = window[place + 1] ?? 0;
  const third = window[place + 2] ?? 0;
  return second >= 0xe0 && ((second & 6) === 0 || (third >= 0x10 && third < 0xf0 && (third & 12) !== 12));
}

function framesFrom(window: Buffer, place: number): number {
  const bytesOf = FRAMES[window[place] as number];
  let frames = 0;
  for (let at = place; bytesOf !== undefined && frames < FRAMES_ANYWHERE && at + HEAD_BYTES <= window.length;) {
    const length = bytesOf(window, at);
    if (length === 0) break;
    frames++;
    at += length;
  }
  return frames;
}

/**
 * Functions that return a frame's length from its header, or 0 if there is no frame. The key is the header's first
 * byte.
 */
const FRAMES: Readonly<Record<number, (window: Buffer, at: number) => number>> = {
  0xff: (window, at) => adtsBytes(window, at) || mpegBytes(window, at),
  0x56: (window, at) => (window.readUInt16BE(at) >>> 5 === 0x2b7 ? (numberAt(window, at + 1, 2) & 0x1fff) + 3 : 0),
  0x0b: (window, at) => (window[at + 1] === 0x77 ? ac3Bytes(window, at, 0) : 0),
  0x77: (window, at) => (window[at + 1] === 0x0b ? ac3Bytes(window, at, 1) : 0),
};

function mpegBytes(window: Buffer, at: number): number {
  const isWithoutRate = (window[at + 2] as number) >>> 4 === 0;
  return isWithoutRate ? 0 : (mpegFrameOf(numberAt(window, at, 4))?.bytes ?? 0);
}

function adtsBytes(window: Buffer, at: number): number {
  if ((window.readUInt16BE(at) & 0xfff6) !== 0xfff0) return 0;
  const length = (numberAt(window, at + 3, 3) >>> 5) & 0x1fff;
  return length < HEAD_BYTES ? 0 : length;
}

/** @param swap 1 if the two bytes of each word are swapped, else 0 */
function ac3Bytes(window: Buffer, at: number, swap: 0 | 1): number {
  const byte = (index: number): number => window[at + (index ^ swap)] as number;
  // An E-AC-3 header states the length of its frame.
  if (byte(5) >>> 3 > 10) return ((((byte(2) & 7) << 8) | byte(3)) + 1) * 2;
  const [rateCode, sizeCode] = [byte(4) >>> 6, byte(4) & 63];
  const rate = AC3_RATES[sizeCode >>> 1];
  if (rate === undefined || rateCode === 3) return 0;
  if (rateCode !== 1) return rate * (rateCode === 0 ? 4 : 6);
  return 2 * (Math.floor((rate * 96_000) / 44_100) + (sizeCode & 1));
}

function hidden(): UnmeasurableAudio {
  return new UnmeasurableAudio(
    'The WAV file has compressed sound in place of samples, so its length cannot be measured.',
  );
}
