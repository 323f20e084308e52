import { encodeMp4 } from './encode-mp4';
import { Scene } from './scene';

/** What is to be rendered. */
export interface RenderSettings {
  prompt: string;
  negativePrompt: string;
  seed: number;
  seconds: number;
  /** Width to height. */
  aspectRatio: readonly [number, number];
}

export const FRAMES_PER_SECOND = 12;
const LONG_SIDE = 480;

/** Renders a short video; the same settings give the same bytes. */
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

/** The size of a picture with this aspect ratio: its longer side is 480, both are even. */
export function sizeOf([wide, high]: readonly [number, number]): { width: number; height: number } {
  const even = (length: number): number => Math.max(64, 2 * Math.round(length / 2));
  return wide >= high
    ? { width: LONG_SIDE, height: even((LONG_SIDE * high) / wide) }
    : { width: even((LONG_SIDE * wide) / high), height: LONG_SIDE };
}
