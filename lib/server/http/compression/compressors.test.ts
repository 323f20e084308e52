import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressAtOnce, compressOnThreads } from './compressors';
import { CONTENT_CODINGS } from './content-coding';

const DECODE = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

describe.each(CONTENT_CODINGS)('%s', (coding) => {
  it.each([
    ['one', [1_000_000]],
    ['many small', Array.from({ length: 3_000 }, (_none, i) => i % 90)],
    ['small and large', [1, 0, 65_536, 1, 65_537, 200_000, 3, 65_535, 1]],
    ['none', []],
    ['empty ones', [0, 0]],
  ])('of parts, %s, decodes to what they are together, in memory of its own', async (_what, sizes) => {
    const parts = sizes.map((size, i) => Buffer.alloc(size, `${i} part`));
    const compressed = await compressOnThreads(parts, coding, 1_000_000);
    expect(compressed?.buffer.byteLength).toBe(compressed?.length);
    expect(DECODE[coding](compressed as Buffer).equals(Buffer.concat(parts))).toBe(true);
  });

  it('that exceeds its maximum is null', async () => {
    expect(await compressOnThreads([randomBytes(300_000)], coding, 200_000)).toBeNull();
  });

  it('in place decodes to the same', () => {
    for (const bytes of [Buffer.alloc(0), randomBytes(10), Buffer.alloc(16_384, '{"a":1},')])
      expect(DECODE[coding](compressAtOnce(bytes, coding)).equals(bytes)).toBe(true);
  });
});
