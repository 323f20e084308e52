import { asciiAt, numberAt } from './audio-bytes';

const BOX_HEAD_BYTES = 8;
/** Names of boxes that must not occur in a sample description. */
const MEASURED = ['moov', 'moof', 'stsd', 'stsz', 'stz2', 'tkhd', 'tfhd', 'trex', 'trun', 'hdlr'];
/** Sample rates of AAC (ISO/IEC 14496-3, table 1.18). */
const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
const LOW_COMPLEXITY = 2;
/** Object types SBR and PS, which extend a base type. The first stated sample rate is the base type's. */
const ADDITIONS = new Set([5, 29]);
const AAC = new Set([0x40, 0x66, 0x67, 0x68]);

export interface Aac {
  sampleRate: number;
  /** Index of the sample rate in AAC's table. */
  rateIndex: number;
}

/** Reads a sample description. Returns null if it is not AAC-LC with packets of 1,024 samples. */
export function aacOf(description: Uint8Array): Aac | null {
  const text = asciiAt(description, 0, description.length);
  if (text.indexOf('esds') !== text.lastIndexOf('esds') || MEASURED.some((name) => text.includes(name))) return null;
  const isOne = numberAt(description, 4, 4) === 1;
  const entry = description.subarray(8);
  if (!isOne || asciiAt(entry, 4, 4) !== 'mp4a') return null;
  // QuickTime's version 1 has 16 more bytes here, and its boxes may be inside "wave".
  const version = numberAt(entry, 16, 2);
  if (version > 1) return null;
  const decoder = childOf(entry.subarray(version === 1 ? 52 : 36), 'esds');
  return decoder && decoderOf(decoder.subarray(4));
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

/** Reads the descriptors of "esds" (ISO/IEC 14496-1): stream, decoder, decoder configuration. */
function decoderOf(descriptors: Uint8Array): Aac | null {
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
  let place = 0;
  const next = (length: number): number => Math.floor(bits / 2 ** (40 - (place += length))) % 2 ** length;
  const kind = next(5);
  const rateIndex = next(4);
  next(4);
  // SBR and PS are followed by the doubled sample rate and then by the base type.
  if (ADDITIONS.has(kind) && next(4) === 15) return null;
  const isPlain = (ADDITIONS.has(kind) ? next(5) : kind) === LOW_COMPLEXITY;
  // The next flag marks packets of 960 samples.
  if (!isPlain || next(1) === 1) return null;
  const sampleRate = SAMPLE_RATES[rateIndex];
  return sampleRate === undefined ? null : { sampleRate, rateIndex };
}
