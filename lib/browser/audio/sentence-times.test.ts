import { describe, expect, it } from 'vitest';
import { guessedTimes, sentenceAt, sentenceTimes } from './sentence-times';

const SECONDS_PER_PEAK = 0.01;

/** Creates the envelope of speech: loud and quiet parts, lengths in seconds. */
function speech(...seconds: { loud: number; quiet: number }[]) {
  const peaks = seconds.flatMap(({ loud, quiet }) => [
    ...Array<number>(Math.round(loud * 100)).fill(0.5),
    ...Array<number>(Math.round(quiet * 100)).fill(0),
  ]);
  return { peaks: Float32Array.from(peaks), secondsPerPeak: SECONDS_PER_PEAK };
}

describe('the times of sentences', () => {
  it('are where the pauses end, though the voice takes longer over one than its length says', () => {
    const found = sentenceTimes(
      ['One two three four.', ' Five six seven eight.', ' Nine ten.'],
      speech({ loud: 2.6, quiet: 0.4 }, { loud: 1.8, quiet: 0.4 }, { loud: 1, quiet: 0.2 }),
    );
    expect(found.map(({ startSeconds }) => Number(startSeconds.toFixed(2)))).toEqual([0, 3, 5.2]);
  });

  it('pass over the short pauses within sentences', () => {
    const found = sentenceTimes(
      ['Well, this is one.', ' And this is two.'],
      speech({ loud: 0.9, quiet: 0.13 }, { loud: 1, quiet: 0.4 }, { loud: 1.8, quiet: 0 }),
    );
    expect(found[1]?.startSeconds).toBeCloseTo(2.43, 2);
  });

  it('stay guesses where there is no pause at all', () => {
    const found = sentenceTimes(['Same length.', 'Same length.'], speech({ loud: 4, quiet: 0 }));
    expect(found.map(({ startSeconds }) => startSeconds)).toEqual([0, 2]);
  });

  it('never run backwards', () => {
    const found = sentenceTimes(
      ['A.', 'B.', 'C.', 'D.', 'E.'],
      speech({ loud: 0.2, quiet: 1.5 }, { loud: 0.3, quiet: 0 }),
    );
    const starts = found.map(({ startSeconds }) => startSeconds);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  it('are guessed in proportion while the audio is on its way, and shorter at a higher speed', () => {
    const [slow, fast] = [
      guessedTimes(['Same length.', 'Same length.'], 1),
      guessedTimes(['Same length.', 'Same length.'], 2),
    ];
    expect(slow[1]?.startSeconds).toBeCloseTo(2 * (fast[1]?.startSeconds ?? 0));
  });

  it('say which sentence is heard', () => {
    const sentences = [
      { text: 'a', startSeconds: 0 },
      { text: 'b', startSeconds: 2 },
    ];
    expect([
      sentenceAt(sentences, 0),
      sentenceAt(sentences, 1.9),
      sentenceAt(sentences, 2),
      sentenceAt(sentences, 99),
      sentenceAt([], 1),
    ]).toEqual([0, 0, 1, 1, -1]);
  });
});
