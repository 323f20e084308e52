import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { Scene } from '../video/scene';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS = 8;
const RGB = 2;
const CHANNELS = 3;

/**
 * Encodes an image as PNG (ISO/IEC 15948), without palette or transparency.
 * @param rgb pixels: three bytes for each pixel, row by row
 */
async function encodePng(rgb: Uint8Array, width: number, height: number): Promise<Buffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([BITS, RGB, 0, 0, 0], 8);
  const stride = width * CHANNELS;
  // Each row begins with its filter type. Type 0 means no filter.
  const rows = Buffer.alloc(height * (stride + 1));
  for (let row = 0; row < height; row++)
    rows.set(rgb.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', await promisify(deflate)(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** Width and height are even. */
interface ImageSettings {
  prompt: string;
  negativePrompt: string;
  seed: number;
  width: number;
  height: number;
}

/** If the shorter side of an image is n times this length in pixels, the scene is enlarged n times. */
const SCENE_SIDE = 480;

/** Draws a still of the simulated videos' scene as PNG. Identical settings produce identical bytes. */
export function drawImage({ prompt, negativePrompt, seed, width, height }: ImageSettings): Promise<Buffer> {
  const scale = Math.max(1, Math.floor(Math.min(width, height) / SCENE_SIDE));
  const [sceneWidth, sceneHeight] = [even(width / scale), even(height / scale)];
  const scene = new Scene({ prompt, negativePrompt, seed, width: sceneWidth, height: sceneHeight, frames: 1 });
  const yuv = scene.frame(0);
  const rgb = new Uint8Array(width * height * 3);
  const chroma = (sceneWidth * sceneHeight) / 4;
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.min(sceneHeight - 1, Math.floor(y / scale));
    for (let x = 0; x < width; x++) {
      const column = Math.min(sceneWidth - 1, Math.floor(x / scale));
      const place = sceneWidth * sceneHeight + (row >> 1) * (sceneWidth / 2) + (column >> 1);
      const luma = 1.164 * ((yuv[row * sceneWidth + column] as number) - 16);
      const [u, v] = [(yuv[place] as number) - 128, (yuv[place + chroma] as number) - 128];
      // Converts from BT.601 limited range, the scene's color space.
      rgb[at++] = clamped(luma + 1.596 * v);
      rgb[at++] = clamped(luma - 0.392 * u - 0.813 * v);
      rgb[at++] = clamped(luma + 2.017 * u);
    }
  }
  return encodePng(rgb, width, height);
}

function even(length: number): number {
  return 2 * Math.ceil(length / 2);
}

function clamped(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
