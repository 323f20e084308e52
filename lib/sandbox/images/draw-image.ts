import { Scene } from '../video/scene';
import { encodePng } from './encode-png';

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

/** Draws a still of the videos' scene as PNG. Equal settings give equal bytes. */
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
