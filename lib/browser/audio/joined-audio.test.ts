import { describe, expect, it } from 'vitest';
import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { PAUSE_SECONDS, replaceSentences, type SpokenText } from './joined-audio';

/** Creates samples from parts: a tone with this loudness, or silence for 0. */
function sound(...parts: readonly [seconds: number, loudness: number][]): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    parts.flatMap(([seconds, loudness]) =>
      Array.from({ length: Math.round(seconds * SPEECH_SAMPLE_RATE) }, (_, at) =>
        at % 2 === 0 ? loudness : -loudness,
      ),
    ),
  );
}

/** Returns the second at which a sound of this loudness begins, without its fade. */
function beginOf(samples: Float32Array, loudness: number): number {
  const isOf = (sample: number | undefined) => sample !== undefined && Math.abs(Math.abs(sample) - loudness) < 0.01;
  return samples.findIndex((sample, index) => isOf(sample) && isOf(samples[index + 200])) / SPEECH_SAMPLE_RATE;
}

const THREE: SpokenText = {
  samples: sound([1, 0.2], [0.3, 0], [1, 0.4], [0.3, 0], [1, 0.6]),
  sentences: [
    { text: 'One. ', startSeconds: 0 },
    { text: 'Two. ', startSeconds: 1.3 },
    { text: 'Three.', startSeconds: 2.6 },
  ],
};
const PART: SpokenText = {
  samples: sound([0.5, 0], [2, 0.8], [0.5, 0]),
  sentences: [{ text: 'Two anew. ', startSeconds: 0.5 }],
};

describe('a sentence spoken anew', () => {
  it('takes the place of the old one, and what follows moves', () => {
    const { samples, sentences } = replaceSentences(THREE, 1, 2, PART, PAUSE_SECONDS);
    expect(sentences.map(({ text }) => text)).toEqual(['One. ', 'Two anew. ', 'Three.']);
    expect(beginOf(samples, 0.4)).toBeLessThan(0);
    for (const [index, loudness] of [
      [0, 0.2],
      [1, 0.8],
      [2, 0.6],
    ] as const)
      expect(Math.abs(beginOf(samples, loudness) - sentences[index]!.startSeconds)).toBeLessThan(0.1);
    expect(samples.length / SPEECH_SAMPLE_RATE).toBeCloseTo(4.7, 0);
  });

  it('at the beginning and at the end leaves no pause before the first sound and after the last', () => {
    const first = replaceSentences(THREE, 0, 1, PART, PAUSE_SECONDS);
    expect(beginOf(first.samples, 0.8)).toBeLessThan(0.05);
    expect(first.sentences[1]!.startSeconds).toBeCloseTo(2.35, 1);
    const last = replaceSentences(THREE, 2, 3, PART, PAUSE_SECONDS);
    expect(last.samples.length / SPEECH_SAMPLE_RATE - beginOf(last.samples, 0.8)).toBeCloseTo(2, 1);
  });

  it('can be all that is left of a text that broke off, and more sentences than before', () => {
    const rest: SpokenText = {
      samples: sound([1, 0.8], [0.3, 0], [1, 0.9]),
      sentences: [
        { text: 'Two. ', startSeconds: 0 },
        { text: 'Three.', startSeconds: 1.3 },
      ],
    };
    const { samples, sentences } = replaceSentences(
      { ...THREE, samples: THREE.samples.slice(0, Math.round(1.8 * SPEECH_SAMPLE_RATE)) },
      1,
      3,
      rest,
      PAUSE_SECONDS,
    );
    expect(sentences.map(({ text }) => text)).toEqual(['One. ', 'Two. ', 'Three.']);
    expect(beginOf(samples, 0.4)).toBeLessThan(0);
    expect(Math.abs(beginOf(samples, 0.9) - sentences[2]!.startSeconds)).toBeLessThan(0.1);
  });

  it('of nothing but silence is a pause', () => {
    expect(
      replaceSentences(
        THREE,
        1,
        2,
        { samples: sound([0.3, 0]), sentences: [{ text: '?! ', startSeconds: 0 }] },
        PAUSE_SECONDS,
      ).sentences,
    ).toHaveLength(3);
  });
});
