import { expect, it } from 'vitest';
import { peakMegabytes } from '@/test/raw-server';
import { KeptStream } from './stored-answers';

it('stores all bytes, even in small pieces whose memory the sender reuses', () => {
  const kept = new KeptStream(10);
  const piece = Buffer.from('a');
  kept.add(piece);
  piece.write('b');
  kept.add(piece);
  expect(kept.with([Buffer.from('c')]).toString()).toBe('abc');
});

it('keeps nothing of a stream that is larger than what is kept', () => {
  const kept = new KeptStream(3);
  for (let i = 0; i < 4; i++) kept.add(Buffer.from('x'));
  expect(kept.with([])).toBe('too-large');
  expect(new KeptStream(3).with([Buffer.from('abcd')])).toBe('too-large');
});

it('takes little more memory than it has bytes', async () => {
  const streams = Array.from({ length: 4 }, () => new KeptStream(1_000_000));
  const piece = Buffer.from('ab');
  const adding = (async () => {
    for (let i = 0; i < 250_000; i++) for (const stream of streams) stream.add(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
  })();
  expect(await peakMegabytes(adding)).toBeLessThan(40);
  expect(streams.map((stream) => stream.with([]).length)).toEqual(new Array(4).fill(500_000));
});
