import { EncodingFailedError } from './encoding-error';
import { wavHeader } from '@/lib/protocol/speech/wav-header';

/**
 * Maximum samples of a whole file: one hour (173 MB). The longest text, spoken at the lowest speed, takes half an hour.
 */
const WHOLE_SAMPLES_MAX = 24_000 * 60 * 60;

/**
 * Yields samples as 16-bit little-endian bytes. For a whole `wav` file, collects all samples first, because the header
 * states the size.
 */
export async function* unencoded(
  format: 'wav' | 'pcm',
  isStreamed: boolean,
  samples: AsyncIterable<Int16Array>,
): AsyncGenerator<Uint8Array> {
  if (format === 'pcm') yield* littleEndian(samples);
  else if (isStreamed) yield* streamedWav(samples);
  else yield* wholeWav(samples);
}

/** Sends the header with the first samples, so that an earlier failure can still be answered with an error. */
async function* streamedWav(samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
  let hasHeader = false;
  for await (const bytes of littleEndian(samples)) {
    if (!hasHeader) yield wavHeader(null);
    hasHeader = true;
    yield bytes;
  }
  if (!hasHeader) yield wavHeader(null);
}

async function* wholeWav(samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = [];
  let sampleCount = 0;
  for await (const bytes of littleEndian(samples)) {
    parts.push(bytes);
    sampleCount += bytes.byteLength / 2;
    if (sampleCount > WHOLE_SAMPLES_MAX) throw new EncodingFailedError('The speech is longer than an hour.');
  }
  yield wavHeader(sampleCount);
  yield* parts;
}

/** The supported platforms are little-endian, so no conversion is needed. */
async function* littleEndian(samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of samples) {
    if (chunk.length > 0) yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
}
