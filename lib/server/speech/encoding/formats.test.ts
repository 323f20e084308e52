import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIO_FORMATS, type AudioFormat } from '@/lib/protocol/speech/audio-format';
import type { AudioEncoderPool } from './audio-encoder-pool';
import { collected, decodedByFfmpeg, demuxed, hasFfmpeg, inPieces, poolUnderTest, tone } from './encoding-under-test';

const SECONDS = 3.217;
const speech = tone(SECONDS);
const CODECS: Readonly<Record<Exclude<AudioFormat, 'pcm'>, string>> = {
  mp3: 'mp3',
  opus: 'opus',
  aac: 'aac',
  flac: 'flac',
  wav: 'pcm-s16',
};
const containers = AUDIO_FORMATS.filter((format) => format !== 'pcm');
const both = containers.flatMap((format) => [true, false].map((isStreamed) => ({ format, isStreamed })));

let pool: AudioEncoderPool;
beforeAll(() => {
  pool = poolUnderTest();
});
afterAll(() => pool.close());

const encode = (format: AudioFormat, isStreamed: boolean, samples = speech, pieceLength = 7_919) =>
  collected(pool.encode({ format, isStreamed }, inPieces(samples, pieceLength)));

/** Caches a result for each format, streamed or whole. */
function kept<Made>(make: (format: AudioFormat, isStreamed: boolean) => Made): typeof make {
  const all = new Map<string, Made>();
  return (format, isStreamed) => {
    const name = `${format} ${isStreamed}`;
    const made = all.get(name) ?? make(format, isStreamed);
    all.set(name, made);
    return made;
  };
}

/** Encodes the speech once for all tests that only read the file. */
const encodedOnce = kept((format, isStreamed) => encode(format, isStreamed));
const decodedOnce = kept(async (format, isStreamed) => decodedByFfmpeg(await encodedOnce(format, isStreamed)));

describe('every format is one valid file from many pieces', () => {
  it.each(both)(
    '$format, streamed: $isStreamed: a demuxer finds the codec and the duration',
    async ({ format, isStreamed }) => {
      const found = await demuxed(await encodedOnce(format, isStreamed));
      expect(found.codec).toBe(CODECS[format]);
      expect(found.channels).toBe(1);
      expect(found.sampleRate).toBe(format === 'opus' ? 48_000 : 24_000);
      expect(Math.abs(found.seconds - SECONDS)).toBeLessThan(0.1);
    },
  );

  if (hasFfmpeg)
    it.each(both)(
      '$format, streamed: $isStreamed: ffmpeg decodes it without a complaint to the same sound',
      async ({ format, isStreamed }) => {
        const decoded = await decodedOnce(format, isStreamed);
        expect(Math.abs(decoded.length / 24_000 - SECONDS)).toBeLessThan(0.1);
        expect(bestCorrelation(speech, decoded, 0.98)).toBeGreaterThan(0.98);
      },
    );

  if (hasFfmpeg)
    it.each([
      ['wav', true],
      ['wav', false],
      ['flac', true],
      ['flac', false],
    ] as const)('%s, streamed: %s: is lossless', async (format, isStreamed) => {
      const decoded = await decodedOnce(format, isStreamed);
      // Compares bytes, because comparing the numbers one by one takes longer than encoding.
      expect(decoded).toHaveLength(speech.length);
      expect(Buffer.compare(new Uint8Array(decoded.buffer), new Uint8Array(speech.buffer))).toBe(0);
    });

  if (hasFfmpeg)
    it.each([
      ['mp3', false],
      ['opus', true],
      ['opus', false],
    ] as const)('%s, streamed: %s: is exact to the sample', async (format, isStreamed) => {
      // ffmpeg decodes Opus at 48 kHz and resamples it.
      expect(Math.abs((await decodedOnce(format, isStreamed)).length - speech.length)).toBeLessThanOrEqual(
        format === 'opus' ? 1 : 0,
      );
    });

  it.each(both)(
    '$format, streamed: $isStreamed: every one is the same, whether its encoder was started ahead or not',
    async ({ format, isStreamed }) => {
      const files = [
        await encodedOnce(format, isStreamed),
        await encode(format, isStreamed),
        ...(await Promise.all([encode(format, isStreamed), encode(format, isStreamed)])),
      ];
      // Each Ogg stream has a random serial number.
      const [first, ...others] = files.map((file) =>
        format === 'opus' ? file.length : createHash('sha256').update(file).digest('hex'),
      );
      for (const other of others) expect(other).toBe(first);
    },
  );

  it('pcm is the samples themselves', async () => {
    const bytes = await encodedOnce('pcm', true);
    expect(bytes.equals(Buffer.from(speech.buffer))).toBe(true);
  });
});

describe('headers are true', () => {
  it('of a whole WAV, and say "unknown" of a streamed one', async () => {
    const whole = await encodedOnce('wav', false);
    expect(whole.readUInt32LE(4)).toBe(whole.length - 8);
    expect(whole.readUInt32LE(40)).toBe(speech.byteLength);
    const streamed = await encodedOnce('wav', true);
    expect([streamed.readUInt32LE(4), streamed.readUInt32LE(40)]).toEqual([0xffffffff, 0xffffffff]);
  });

  it('of a whole FLAC: samples and their MD5; a streamed one has neither', async () => {
    const totalSamples = (file: Buffer) => (file.readUInt8(21) & 0xf) * 2 ** 32 + file.readUInt32BE(22);
    const whole = await encodedOnce('flac', false);
    expect(totalSamples(whole)).toBe(speech.length);
    expect(whole.subarray(26, 42)).toEqual(createHash('md5').update(Buffer.from(speech.buffer)).digest());
    const streamed = await encodedOnce('flac', true);
    expect(totalSamples(streamed)).toBe(0);
    expect(streamed.subarray(26, 42)).toEqual(Buffer.alloc(16));
  });

  it('of a whole MP3: an Info frame; a streamed one begins with sound', async () => {
    expect((await encodedOnce('mp3', false)).subarray(13, 17).toString('latin1')).toBe('Info');
    expect((await encodedOnce('mp3', true)).includes('Info')).toBe(false);
  });

  it('of Ogg: one stream, first and last page marked, every page in order', async () => {
    const file = await encodedOnce('opus', true);
    const pages = [...oggPages(file)];
    expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, index) => index));
    expect(new Set(pages.map(({ serial }) => serial)).size).toBe(1);
    expect(pages.map(({ flags }) => flags)).toEqual([2, ...Array<number>(pages.length - 2).fill(0), 4]);
    const preSkip = file.readUInt16LE(28 + 10);
    expect(pages.at(-1)?.granules).toBe(preSkip + 2 * speech.length);
  });
});

describe('unusual input', () => {
  it.each(AUDIO_FORMATS.filter((format) => format !== 'pcm' && format !== 'wav'))(
    '%s: no samples at all become a little silence',
    async (format) => {
      for (const isStreamed of [true, false]) {
        const file = await encode(format, isStreamed, new Int16Array(0));
        const found = await demuxed(file);
        expect(found.codec).toBe(format);
        expect(found.seconds).toBeLessThan(0.2);
        if (hasFfmpeg) expect(decodedByFfmpeg(file).length).toBeGreaterThanOrEqual(480);
      }
    },
  );

  it.each(containers)('%s: a single sample, and pieces of one sample', async (format) => {
    expect((await encode(format, true, tone(1 / 24_000))).length).toBeGreaterThan(30);
    expect((await demuxed(await encode(format, true, tone(0.05), 1))).codec).toBe(CODECS[format]);
  });

  it('encodes what is as loud as it can be', async () => {
    const loud = Int16Array.from({ length: 24_000 }, (_, at) => (at % 100 < 50 ? 32_767 : -32_768));
    for (const format of containers)
      expect((await demuxed(await encode(format, true, loud))).seconds).toBeGreaterThan(0.99);
  });
});

function* oggPages(file: Buffer): Generator<{ flags: number; granules: number; serial: number; sequence: number }> {
  for (let at = 0; at < file.length;) {
    expect(file.toString('latin1', at, at + 4)).toBe('OggS');
    yield {
      flags: file.readUInt8(at + 5),
      granules: Number(file.readBigUInt64LE(at + 6)),
      serial: file.readUInt32LE(at + 14),
      sequence: file.readUInt32LE(at + 18),
    };
    const segments = file.readUInt8(at + 26);
    at += 27 + segments + file.subarray(at + 27, at + 27 + segments).reduce((sum, length) => sum + length, 0);
  }
}

/**
 * Returns the correlation at the best shift of up to 0.1 s, over the second in the middle. Stops at the first shift
 * that gives more than `enough`.
 */
function bestCorrelation(left: Int16Array, right: Int16Array, enough: number): number {
  let best = 0;
  for (let turn = 0; turn <= 4_800 && best <= enough; turn += 1) {
    const shift = turn % 2 === 0 ? turn / 2 : -(turn + 1) / 2;
    let product = 0;
    let energyLeft = 0;
    let energyRight = 0;
    for (let at = 24_000; at < 48_000; at += 5) {
      const a = left[at] ?? 0;
      const b = right[at + shift] ?? 0;
      product += a * b;
      energyLeft += a * a;
      energyRight += b * b;
    }
    best = Math.max(best, product / Math.sqrt(energyLeft * energyRight));
  }
  return best;
}
