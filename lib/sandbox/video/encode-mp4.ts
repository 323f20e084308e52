import { createRequire } from 'node:module';
import type * as H264Mp4Encoder from 'h264-mp4-encoder';

const ERROR_EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

const { createH264MP4Encoder } = loadEncoder();

/** High quality for so small a picture: text stays legible. */
const QUANTIZATION = 26;
const FASTEST = 10;

/** Boxes with the time at which the file was made. */
const DATED_BOXES = ['mvhd', 'tkhd', 'mdhd'];

/**
 * Encodes pictures (YUV 4:2:0) as an MP4 with H.264. The same pictures give the same bytes: the file has no date.
 * @param frame the picture with a number from 0; its memory may be used again for the next.
 */
export async function encodeMp4(
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
 * Its one file is CommonJS, without names that Node's import could see. As it loads, it has the whole process abort on
 * an error that nobody caught, whosever that is. This is taken back: whoever runs the process decides about such errors.
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

/** Creation and modification times (ISO/IEC 14496-12, 8.2.2, 8.3.2, 8.4.2) become 0, which says nothing. */
function withoutDates(file: Buffer): Buffer {
  for (const type of DATED_BOXES) {
    for (let at = file.indexOf(type, 0, 'latin1'); at >= 0; at = file.indexOf(type, at + 4, 'latin1')) {
      const version = file[at + 4];
      // Of a box, and not of four bytes of picture that look like its name.
      if (version === 0 && isBoxOf(file, at, type)) file.fill(0, at + 8, at + 16);
    }
  }
  return file;
}

const BOX_BYTES: Readonly<Record<string, number>> = { mvhd: 108, tkhd: 92, mdhd: 32 };

function isBoxOf(file: Buffer, typeAt: number, type: string): boolean {
  return typeAt >= 4 && file.readUInt32BE(typeAt - 4) === BOX_BYTES[type];
}
