import { EncodingFailedError } from './encoding-error';
import { wavHeader } from '@/lib/protocol/speech/wav-header';

/** 48 MB of whole WAV are 17 minutes; the longest text at the lowest speed is under 30. */
const WHOLE_SAMPLES_MAX = 24_000 * 60 * 60;

/**
 * Speech as the samples themselves, in 16-bit little-endian, with a WAV header in front for `wav`: with true sizes where
 * the file is sent whole, which then waits for the last sample.
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

/** The header goes with the first samples: before them, a failure can still become an error answer. */
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

/** All platforms that Node runs on are little-endian, so that the samples' own bytes are what goes out. */
async function* littleEndian(samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of samples) {
    if (chunk.length > 0) yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
}
