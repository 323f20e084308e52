import { PAUSE_SECONDS } from './joined-audio';
import { type Envelope, pausesOf, SECONDS_PER_CHARACTER, weightOf } from './sentence-times';

/** What came of speech that broke off. */
export interface WholeSentences {
  /** How many sentences came to their end. */
  count: number;
  /** When the last of them ends, seconds. */
  endSeconds: number;
}

/** A pause in the midst of a sentence is rarely this share of the one that the gateway puts between two. */
const SHARE_OF_PAUSE = 0.85;
/** A voice is rarely off the usual rate by more than this factor. */
const RATE_FACTOR_MAX = 1.8;
/** How much longer than expected the sentence may be that broke off, before it counts as two. */
const REST_FACTOR_MAX = 1.35;

/**
 * How many sentences of a text came whole, of audio that broke off. The audio does not say it, so it is guessed: each
 * sentence ends with a pause as the gateway makes them, and voices keep their rate. In doubt fewer: what is spoken
 * twice costs a little, what is left out is lost.
 * @param speed of the request, 1 for the usual rate
 */
export function wholeSentences(sentences: readonly string[], envelope: Envelope, speed: number): WholeSentences {
  const totalSeconds = envelope.peaks.length * envelope.secondsPerPeak;
  const pauses = longPauses(envelope, totalSeconds, (PAUSE_SECONDS / speed) * SHARE_OF_PAUSE);
  const weights = sentences.map(weightOf);
  let best: WholeSentences = { count: 0, endSeconds: 0 };
  let bestMisfit = misfitOfNone(weights, totalSeconds, pauses.length, speed);
  for (let count = 1; count < sentences.length; count++) {
    for (const [index, { startSeconds, endSeconds }] of pauses.entries()) {
      const misfit = misfitOf(weights, count, pauses, index, totalSeconds - endSeconds, speed);
      if (misfit < bestMisfit - 1e-9) [best, bestMisfit] = [{ count, endSeconds: startSeconds }, misfit];
    }
  }
  return best;
}

interface LongPause {
  startSeconds: number;
  endSeconds: number;
}

/** Pauses as the gateway makes them, the silence at the very end among them. */
function longPauses(envelope: Envelope, totalSeconds: number, secondsMin: number): LongPause[] {
  const closed: Envelope = { ...envelope, peaks: Float32Array.from([...envelope.peaks, 1]) };
  return pausesOf(closed)
    .filter(({ lengthSeconds }) => lengthSeconds >= secondsMin - envelope.secondsPerPeak)
    .map(({ endSeconds, lengthSeconds }) => ({
      startSeconds: endSeconds - lengthSeconds,
      endSeconds: Math.min(endSeconds, totalSeconds),
    }));
}

/** How badly it fits that not even the first sentence came whole: every long pause would be one within it. */
function misfitOfNone(weights: readonly number[], totalSeconds: number, pauseCount: number, speed: number): number {
  const expected = ((weights[0] ?? 0) * SECONDS_PER_CHARACTER * REST_FACTOR_MAX) / speed;
  return pauseCount * 0.5 + (expected === 0 ? 0 : Math.max(0, totalSeconds / expected - 1) * 2);
}

/** How badly it fits that so many sentences end at the pause of that index. */
function misfitOf(
  weights: readonly number[],
  count: number,
  pauses: readonly LongPause[],
  index: number,
  restSeconds: number,
  speed: number,
): number {
  const last = pauses[index];
  const spoken = weights.slice(0, count).reduce((sum, weight) => sum + weight, 0);
  if (last === undefined || spoken === 0) return Infinity;
  const rate = last.startSeconds / spoken;
  const factor = Math.abs(Math.log((rate * speed) / SECONDS_PER_CHARACTER));
  if (factor > Math.log(RATE_FACTOR_MAX)) return Infinity;
  let passed = 0;
  let distance = 0;
  for (const weight of weights.slice(0, count - 1)) {
    passed += weight;
    const expected = passed * rate;
    const nearest = Math.min(
      ...pauses.slice(0, index).map(({ startSeconds }) => Math.abs(startSeconds - expected)),
      Math.max(expected, 1),
    );
    distance += Math.min(1, nearest / Math.max(0.5, weight * rate));
  }
  const unexplained = Math.abs(index + 1 - count) + (pauses.length - 1 - index);
  const rest = (weights[count] ?? 0) * rate * REST_FACTOR_MAX;
  return factor + distance + unexplained * 0.5 + (rest === 0 ? 0 : Math.max(0, restSeconds / rest - 1) * 2);
}
