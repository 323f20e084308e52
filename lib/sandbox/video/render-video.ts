import { encodeMp4 } from './encode-mp4';
import { Scene } from './scene';

export interface RenderSettings {
  prompt: string;
  negativePrompt: string;
  seed: number;
  seconds: number;
  /** Width to height. */
  aspectRatio: readonly [number, number];
}

const FRAMES_PER_SECOND = 12;
const LONG_SIDE = 480;

/** Renders a short video. Equal settings give equal bytes. */
export function renderVideo({
  prompt,
  negativePrompt,
  seed,
  seconds,
  aspectRatio,
}: RenderSettings): Promise<Uint8Array> {
  const { width, height } = sizeOf(aspectRatio);
  const frames = seconds * FRAMES_PER_SECOND;
  const scene = new Scene({ prompt, negativePrompt, seed, width, height, frames });
  return encodeMp4({ width, height, framesPerSecond: FRAMES_PER_SECOND, frames }, (index) => scene.frame(index));
}

/** Returns the size for an aspect ratio. The longer side is 480 pixels, and both sides are even. */
export function sizeOf([wide, high]: readonly [number, number]): { width: number; height: number } {
  const even = (length: number): number => Math.max(64, 2 * Math.round(length / 2));
  return wide >= high
    ? { width: LONG_SIDE, height: even((LONG_SIDE * high) / wide) }
    : { width: even((LONG_SIDE * wide) / high), height: LONG_SIDE };
}
