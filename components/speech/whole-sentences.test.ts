import { describe, expect, it } from 'vitest';
import { weightOf } from '@/lib/browser/audio/sentence-times';
import { wholeSentences } from './whole-sentences';

const SENTENCES = [
  'This is the first sentence of a few. ',
  'This is the second one of them. ',
  'And here is a third, which is a little longer than the others were. ',
  'Short. ',
  'The last one, after which there is none.',
];

/**
 * Creates the envelope of a voice that speaks the sentences at a rate, with a short pause within each and a long one
 * between two. Cut off after `seconds`.
 */
function spoken(sentences: readonly string[], { rate = 0.065, speed = 1, seconds = Infinity } = {}) {
  const peaks: number[] = [];
  const put = (length: number, loudness: number) =>
    peaks.push(...Array<number>(Math.round(length * 100)).fill(loudness));
  const ends: number[] = [];
  for (const text of sentences) {
    const length = ((weightOf(text) - 5) * rate) / speed;
    put(length * 0.6, 0.5);
    put(0.15 / speed, 0);
    put(length * 0.4, 0.5);
    ends.push(peaks.length / 100);
    put(0.3 / speed, 0);
  }
  return {
    envelope: { peaks: new Float32Array(peaks.slice(0, Math.min(peaks.length, seconds * 100))), secondsPerPeak: 0.01 },
    ends,
  };
}

describe('how many sentences came whole', () => {
  for (const rate of [0.045, 0.065, 0.09]) {
    for (const speed of [0.5, 1, 2]) {
      it(`wherever it breaks off, at ${rate} s a character and speed ${speed}: never more than there are`, () => {
        const { ends } = spoken(SENTENCES, { rate, speed });
        const total = ends.at(-1)!;
        for (let seconds = 0.1; seconds < total; seconds += 0.23) {
          const { envelope } = spoken(SENTENCES, { rate, speed, seconds });
          const whole = ends.filter((end) => end + 0.3 / speed <= seconds).length;
          const { count, endSeconds } = wholeSentences(SENTENCES, envelope, speed);
          expect(count, `at ${seconds.toFixed(2)} of ${total}`).toBeLessThanOrEqual(
            ends.filter((end) => end <= seconds).length,
          );
          expect(count, `at ${seconds.toFixed(2)} of ${total}`).toBeGreaterThanOrEqual(Math.max(0, whole - 1));
          if (count > 0) expect(ends.some((end) => Math.abs(end - endSeconds) < 0.05)).toBe(true);
        }
      });
    }
  }

  it('of nothing, of silence and of one sentence is none', () => {
    const silence = { peaks: new Float32Array(100), secondsPerPeak: 0.01 };
    expect(wholeSentences(SENTENCES, { peaks: new Float32Array(), secondsPerPeak: 0.01 }, 1).count).toBe(0);
    expect(wholeSentences(SENTENCES, silence, 1).count).toBe(0);
    expect(wholeSentences(['Only one.'], silence, 1).count).toBe(0);
    expect(wholeSentences([], silence, 1).count).toBe(0);
  });
});
