import { registerAacEncoder } from '@mediabunny/aac-encoder';
import fc from 'fast-check';
import { AdtsOutputFormat, AudioSample, AudioSampleSource, BufferTarget, Output } from 'mediabunny';
import { beforeAll, expect, it } from 'vitest';
import { aacBlocks } from './aac-blocks';
import { UnmeasurableAudio } from './audio-bytes';

/** Sample rates with their indexes. The bands of each rate differ from those of the previous rate. */
const RATES = [
  [96_000, 0],
  [64_000, 2],
  [48_000, 3],
  [32_000, 5],
  [24_000, 6],
  [16_000, 8],
  [8_000, 11],
] as const;
const HEAD_BYTES = 7;

beforeAll(() => registerAacEncoder());

/** Encodes a tone, noise and clicks, so that every codebook and both kinds of windows are in use. */
async function blocksOf(sampleRate: number): Promise<Buffer[]> {
  const output = new Output({ format: new AdtsOutputFormat(), target: new BufferTarget() });
  const source = new AudioSampleSource({ codec: 'aac', bitrate: 96_000 });
  output.addAudioTrack(source);
  await output.start();
  let state = 1;
  const data = Float32Array.from({ length: sampleRate * 2 }, (_none, at) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const noise = state / 2 ** 31 - 1;
    return 0.2 * Math.sin(at / 20) + (at % 9_000 < 40 ? noise : 0.03 * noise);
  });
  await source.add(new AudioSample({ data, format: 'f32', numberOfChannels: 2, sampleRate, timestamp: 0 }));
  await output.finalize();
  const file = Buffer.from(output.target.buffer as ArrayBuffer);
  const blocks: Buffer[] = [];
  for (let at = 0; at < file.length;) {
    const length = (file.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
    blocks.push(file.subarray(at + HEAD_BYTES, at + length));
    at += length;
  }
  return blocks;
}

it.each(RATES)(
  'at %i Hz, each sample of an encoder is one block, and joined samples are as many',
  async (rate, index) => {
    const blocks = await blocksOf(rate);
    expect(blocks.length).toBeGreaterThan(5);
    for (const block of blocks) expect(aacBlocks(block, index)).toBe(1);
    expect(aacBlocks(Buffer.concat([...blocks, Buffer.alloc(50)]), index)).toBe(blocks.length);
  },
);

it('any bytes are counted or refused', async () => {
  const block = (await blocksOf(48_000)).at(-2) as Buffer;
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(block.length), fc.nat(15), (bytes, at, index) => {
      for (const sample of [bytes, Buffer.concat([block.subarray(0, at), bytes, block.subarray(at)])])
        try {
          expect(aacBlocks(sample, index)).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(UnmeasurableAudio);
        }
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['nothing', ''],
  ['an empty block', 'ff'],
  ['a header of ADTS', 'fff15080000000'],
  ['dynamic range, whose length decoders find in different ways', 'c361c0'],
  ['an element of channels that differs from the others', 'a000e0'],
  ['a block without an end', '000000'],
])('a sample with %s is refused', (_name, hex) => {
  expect(() => aacBlocks(Buffer.from(hex, 'hex'), 3)).toThrow(UnmeasurableAudio);
});

it('filling is part of a block', () => {
  expect(aacBlocks(Buffer.from('c201c0', 'hex'), 3)).toBe(1);
});

it('a block of silence has 4 bytes', () => {
  expect(aacBlocks(Buffer.from('00000007'.repeat(192), 'hex'), 3)).toBe(192);
});
