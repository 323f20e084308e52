import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { imageFormatOf } from '@/lib/protocol/images/image-requests';
import { drawImage } from './draw-image';

const settings = { prompt: 'A road', negativePrompt: '', seed: 1, width: 512, height: 512 };

/** Reads the pixels of a PNG that `encodePng` wrote. */
function pixelsOf(png: Buffer): { width: number; height: number; rows: Buffer } {
  const length = png.readUInt32BE(33);
  expect(png.subarray(37, 41).toString()).toBe('IDAT');
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    rows: inflateSync(png.subarray(41, 41 + length)),
  };
}

describe('a picture', () => {
  it.each([
    [512, 512],
    [1024, 1024],
    [1024, 576],
    [576, 1024],
  ])('of %d by %d is a PNG of that size with more than one colour', async (width, height) => {
    const png = await drawImage({ ...settings, width, height });
    expect(imageFormatOf(png)).toBe('png');
    const pixels = pixelsOf(png);
    expect([pixels.width, pixels.height, pixels.rows.length]).toEqual([width, height, height * (3 * width + 1)]);
    const colours = new Set(
      Array.from({ length: 400 }, (_, index) => {
        const at = Math.floor((index * height) / 400) * (3 * width + 1) + 1 + 3 * ((index * 37) % width);
        return pixels.rows.readUIntBE(at, 3);
      }),
    );
    expect(colours.size).toBeGreaterThan(10);
  });

  it('is the same for the same settings, and another for another prompt, seed or negative prompt', async () => {
    const first = await drawImage(settings);
    expect(await drawImage(settings)).toEqual(first);
    for (const other of [{ prompt: 'A river' }, { seed: 2 }, { negativePrompt: 'Cars' }])
      expect(await drawImage({ ...settings, ...other })).not.toEqual(first);
  });
});
