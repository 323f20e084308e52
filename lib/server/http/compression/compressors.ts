import type { Transform } from 'node:stream';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import type { ContentCoding } from './content-coding';

/** Levels with the best saving per CPU time for JSON (docs/decisions/upstreams.md, 238). */
const GZIP_LEVEL = 3;
const ZSTD_PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 };
const BROTLI_QUALITY = 1;
const CHUNK_BYTES = 65_536;

/** Compresses on the main thread, which takes 0.1 ms for 16 KiB. */
export function compressAtOnce(bytes: Uint8Array, coding: ContentCoding): Buffer {
  switch (coding) {
    case 'zstd':
      return zstdCompressSync(bytes, { params: ZSTD_PARAMS, pledgedSrcSize: bytes.byteLength });
    case 'br':
      return brotliCompressSync(bytes, { params: brotliParams(bytes.byteLength) });
    case 'gzip':
      return gzipSync(bytes, { level: GZIP_LEVEL });
  }
}

/**
 * Compresses on libuv's threads. Does not stop if the client disconnects. Free the memory of `parts` only after the
 * promise resolves, because the threads read it.
 * @param bytesMax maximum length of the result
 * @returns result in its own memory; null if the result is longer than `bytesMax` or compression fails
 */
export function compressOnThreads(
  parts: readonly Uint8Array[],
  coding: ContentCoding,
  bytesMax: number,
): Promise<Buffer | null> {
  const bytes = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const compressor = compressorOf(coding, bytes);
  return new Promise((resolve) => {
    let chunks: Uint8Array[] = [];
    let length = 0;
    compressor.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bytesMax) chunks.push(chunk);
      else chunks = [];
    });
    compressor.on('error', () => resolve(null));
    compressor.once('end', () => resolve(length <= bytesMax ? joined(chunks, length) : null));
    feed(compressor, gathered(parts));
  });
}

function feed(compressor: Transform, parts: Iterator<Uint8Array>): void {
  const goOn = (): void => {
    for (let next = parts.next(); ; next = parts.next()) {
      if (next.done) return void compressor.end();
      if (!compressor.write(next.value)) return;
    }
  };
  compressor.on('drain', goOn);
  goOn();
}

function compressorOf(coding: ContentCoding, bytes: number): Transform {
  switch (coding) {
    case 'zstd':
      return createZstdCompress({ params: ZSTD_PARAMS, pledgedSrcSize: bytes, chunkSize: CHUNK_BYTES });
    case 'br':
      return createBrotliCompress({ params: brotliParams(bytes), chunkSize: CHUNK_BYTES });
    case 'gzip':
      return createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES });
  }
}

function brotliParams(bytes: number): Record<number, number> {
  return { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes };
}

/**
 * Joins small parts, because each write costs a round trip to a thread, and the answer to a batch has hundreds of
 * parts.
 */
function* gathered(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  let length = 0;
  for (const part of parts) {
    if (length > 0 && length + part.byteLength > CHUNK_BYTES) {
      yield Buffer.concat(small);
      [small, length] = [[], 0];
    }
    if (part.byteLength > CHUNK_BYTES) {
      yield part;
    } else {
      small.push(part);
      length += part.byteLength;
    }
  }
  if (length > 0) yield Buffer.concat(small);
}

/** Copies chunks into a new buffer outside Node's pool, because a slice would keep the whole pool in memory. */
function joined(chunks: readonly Uint8Array[], length: number): Buffer {
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
