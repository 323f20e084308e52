import { expect, it } from 'vitest';
import { barsOf } from './decoded-audio';

const envelope = (...peaks: number[]) => ({ peaks: new Float32Array(peaks), secondsPerPeak: 0.01 });

it('the loudest of each part of the audio, against the loudest of all', () => {
  expect(barsOf(envelope(0.1, 0.5, 0.25, 0), 2)).toEqual([1, 0.5]);
});

it('audio shorter than its bars fills all of them, silence and nothing none', () => {
  expect(barsOf(envelope(0.5, 0.25), 4)).toEqual([1, 1, 0.5, 0.5]);
  expect(barsOf(envelope(0, 0), 3)).toEqual([0, 0, 0]);
  expect(barsOf(null, 3)).toEqual([0, 0, 0]);
});
