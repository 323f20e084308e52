import { concatBytes } from '@noble/hashes/utils.js';
import { MlKemError } from './format';

// Whole bodies are wrapped in gzip (RFC 1952) before encryption, compressed or not.

/** Gzip header (RFC 1952, 2.3.1): deflate, no flags, no time, unknown system. */
const HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
const TRAILER_BYTES = 8;
/** Header of a stored block (RFC 1951, 3.2.4). */
const BLOCK_HEAD_BYTES = 5;
const BLOCK_BYTES_MAX = 65_535;
const CRC_POLYNOMIAL = 0xedb88320;

/**
 * Wraps bytes in gzip without compression. The length of compressed text would leak text if an attacker chose part of
 * the prompt.
 */
export function storedGzip(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [HEAD];
  for (let at = 0; at < bytes.length || at === 0; at += BLOCK_BYTES_MAX) {
    const block = bytes.subarray(at, at + BLOCK_BYTES_MAX);
    const head = new DataView(new ArrayBuffer(BLOCK_HEAD_BYTES));
    head.setUint8(0, at + BLOCK_BYTES_MAX >= bytes.length ? 1 : 0);
    head.setUint16(1, block.length, true);
    head.setUint16(3, ~block.length & 0xffff, true);
    parts.push(new Uint8Array(head.buffer), block);
  }
  const trailer = new DataView(new ArrayBuffer(TRAILER_BYTES));
  trailer.setUint32(0, crc32(bytes), true);
  trailer.setUint32(4, bytes.length % 2 ** 32, true);
  return concatBytes(...parts, new Uint8Array(trailer.buffer));
}

/**
 * Decompresses gzip.
 *
 * @throws {MlKemError} TOO_LONG as soon as the output exceeds `bytesMax`; NOT_DECRYPTABLE for invalid gzip
 */
export async function gunzip(bytes: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length;
      if (length > bytesMax) throw new MlKemError('TOO_LONG', `The decrypted text is longer than ${bytesMax} bytes.`);
      parts.push(part.value);
    }
  } catch (cause) {
    await reader.cancel().catch(() => undefined);
    throw cause instanceof MlKemError
      ? cause
      : new MlKemError('NOT_DECRYPTABLE', 'The decrypted bytes are not valid gzip.', { cause });
  }
  return concatBytes(...parts);
}

function crc32(bytes: Uint8Array): number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ CRC_POLYNOMIAL : value >>> 1;
    return value;
  });
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
