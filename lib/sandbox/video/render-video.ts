import type * as H264Mp4Encoder from 'h264-mp4-encoder';
import { createRequire } from 'node:module';
import { Scene } from './scene';

const ERROR_EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

const { createH264MP4Encoder } = loadEncoder();

/** A low value gives high quality, so that text stays legible. */
const QUANTIZATION = 26;
const FASTEST = 10;

const DATED_BOXES = ['mvhd', 'tkhd', 'mdhd'];

/**
 * Encodes pictures (YUV 4:2:0) as an MP4 with H.264. Identical pictures produce identical bytes, because the file has
 * no date.
 * @param frame returns the picture at `index`. The next call may overwrite that picture
 */
async function encodeMp4(
  {
    width,
    height,
    framesPerSecond,
    frames,
  }: { width: number; height: number; framesPerSecond: number; frames: number },
  frame: (index: number) => Uint8Array,
): Promise<Uint8Array> {
  const encoder = await createH264MP4Encoder();
  try {
    Object.assign(encoder, {
      width,
      height,
      frameRate: framesPerSecond,
      quantizationParameter: QUANTIZATION,
      speed: FASTEST,
      groupOfPictures: 2 * framesPerSecond,
    });
    encoder.initialize();
    for (let index = 0; index < frames; index++) encoder.addFrameYuv(frame(index));
    encoder.finalize();
    return withoutDates(Buffer.from(encoder.FS.readFile(encoder.outputFilename)));
  } finally {
    encoder.delete();
  }
}

/**
 * Loads the encoder with `require`, because Node cannot import names from its CommonJS file. Removes the encoder's
 * handler that aborts the process on any uncaught error.
 */
export function loadEncoder(): typeof H264Mp4Encoder {
  const before = new Set<unknown>(ERROR_EVENTS.flatMap((event) => process.rawListeners(event)));
  const encoder = createRequire(import.meta.url)('h264-mp4-encoder') as typeof H264Mp4Encoder;
  for (const event of ERROR_EVENTS) {
    for (const listener of process.rawListeners(event)) {
      if (!before.has(listener)) process.removeListener(event, listener as (...args: unknown[]) => void);
    }
  }
  return encoder;
}

function withoutDates(file: Buffer): Buffer {
  for (const type of DATED_BOXES) {
    for (let at = file.indexOf(type, 0, 'latin1'); at >= 0; at = file.indexOf(type, at + 4, 'latin1')) {
      const version = file[at + 4];
      // Picture data may contain the four bytes of a box type by chance, so the box size must match too.
      if (version === 0 && isBoxOf(file, at, type)) file.fill(0, at + 8, at + 16);
    }
  }
  return file;
}

const BOX_BYTES: Readonly<Record<string, number>> = { mvhd: 108, tkhd: 92, mdhd: 32 };

function isBoxOf(file: Buffer, typeAt: number, type: string): boolean {
  return typeAt >= 4 && file.readUInt32BE(typeAt - 4) === BOX_BYTES[type];
}

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

/** Renders a short video. Identical settings produce identical bytes. */
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
