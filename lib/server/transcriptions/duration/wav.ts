import { refuseHiddenFrames } from './hidden-frames';
import { asciiAt, type ByteWindow, littleEndianAt, UnmeasurableAudio } from './audio-bytes';

const CHUNK_HEAD_BYTES = 8;
const FORMAT_BYTES_MIN = 16;
const EXTENSIBLE = 0xfffe;
/** PCM, float, A-law and mu-law: the formats in which every sample has the same size. */
const SAMPLED = new Set([1, 3, 6, 7]);
const PCM = 1;
/** A-law and mu-law. Decoders ignore the stated sample size, because a sample in these formats always has 8 bits. */
const ONE_BYTE = new Set([6, 7]);
const SAMPLE_RATE_MAX = 768_000;

/** Measures RIFF/WAVE. Players read every "data" chunk, and read a chunk of unknown size to the end of the file. */
export async function wavSeconds(bytes: ByteWindow): Promise<number> {
  let format: Format | null = null;
  let dataBytes = 0;
  for (let at = 12; at + CHUNK_HEAD_BYTES <= bytes.length;) {
    const head = bytes.held(at, CHUNK_HEAD_BYTES + 40) ?? (await bytes.load(at, CHUNK_HEAD_BYTES + 40));
    const name = asciiAt(head, 0, 4);
    const start = at + CHUNK_HEAD_BYTES;
    const claimed = littleEndianAt(head, 4, 4);
    const isOpen = name === 'data' && (claimed === 0 || start + claimed > bytes.length);
    const size = isOpen ? bytes.length - start : claimed;
    if (name === 'fmt ') {
      if (format !== null) throw new UnmeasurableAudio('The WAV file has two "fmt " chunks.');
      format = formatOf(head.subarray(CHUNK_HEAD_BYTES), claimed);
    } else if (name === 'data') {
      if (format === null) throw new UnmeasurableAudio('The WAV file has no "fmt " chunk before its sound.');
      if (format.isProbed) await refuseHiddenFrames(bytes, start, start + size);
      dataBytes += size;
    } else if (name === 'XMA2') throw new UnmeasurableAudio('The WAV file has compressed sound (XMA2).');
    at = start + size + (size % 2);
  }
  if (format === null) throw new UnmeasurableAudio('The WAV file has no "fmt " chunk.');
  return dataBytes / format.bytesPerSecond;
}

interface Format {
  bytesPerSecond: number;
  /** True if some decoders look for other formats in samples of this format. */
  isProbed: boolean;
}

function formatOf(format: Uint8Array, size: number): Format {
  const [code, channels] = [littleEndianAt(format, 0, 2), littleEndianAt(format, 2, 2)];
  const [sampleRate, byteRate] = [littleEndianAt(format, 4, 4), littleEndianAt(format, 8, 4)];
  const [frameBytes, bits] = [littleEndianAt(format, 12, 2), littleEndianAt(format, 14, 2)];
  const kind = code === EXTENSIBLE && size >= 40 ? littleEndianAt(format, 24, 2) : code;
  if (size < FORMAT_BYTES_MIN || format.length < FORMAT_BYTES_MIN || !SAMPLED.has(kind))
    throw new UnmeasurableAudio('The WAV file is not uncompressed (PCM), so its length cannot be measured.');
  // Some decoders use the container's bits and others the valid bits, so both must give the same sample size.
  const validBits = kind === code ? bits : littleEndianAt(format, 18, 2) || bits;
  const isConsistent =
    Math.ceil(validBits / 8) === Math.ceil(bits / 8) &&
    (bits === 8 || !ONE_BYTE.has(kind)) &&
    channels > 0 &&
    sampleRate > 0 &&
    sampleRate <= SAMPLE_RATE_MAX &&
    frameBytes === channels * Math.ceil(bits / 8) &&
    byteRate === sampleRate * frameBytes;
  if (!isConsistent || byteRate === 0)
    throw new UnmeasurableAudio('The header of the WAV file contradicts itself, so its length cannot be measured.');
  return { bytesPerSecond: byteRate, isProbed: kind === PCM };
}
