import { PAUSE_SECONDS } from '@/lib/browser/audio/joined-audio';
import { type Envelope, pausesOf, SECONDS_PER_CHARACTER, weightOf } from '@/lib/browser/audio/sentence-times';

export interface WholeSentences {
  count: number;
  /** End of the last complete sentence, in seconds. */
  endSeconds: number;
}

/**
 * Shortest pause between sentences, as a share of the pause that the gateway inserts. Pauses within a sentence are
 * rarely this long.
 */
const SHARE_OF_PAUSE = 0.85;
const RATE_FACTOR_MAX = 1.8;
/**
 * Factor by which an incomplete sentence may exceed its expected length. Longer audio probably contains two sentences.
 */
const REST_FACTOR_MAX = 1.35;

/**
 * Estimates how many sentences of interrupted audio are complete, from the gateway's pauses and the voice's constant
 * rate. Rounds down, because speaking a sentence twice costs little but a missing sentence is lost.
 * @param speed request's speed; 1 is the usual rate
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

/** Includes the silence at the end of the audio. */
function longPauses(envelope: Envelope, totalSeconds: number, secondsMin: number): LongPause[] {
  const closed: Envelope = { ...envelope, peaks: Float32Array.from([...envelope.peaks, 1]) };
  return pausesOf(closed)
    .filter(({ lengthSeconds }) => lengthSeconds >= secondsMin - envelope.secondsPerPeak)
    .map(({ endSeconds, lengthSeconds }) => ({
      startSeconds: endSeconds - lengthSeconds,
      endSeconds: Math.min(endSeconds, totalSeconds),
    }));
}

/**
 * Scores the assumption that no sentence is complete, so that all long pauses are inside the first sentence. A higher
 * score is a worse fit.
 */
function misfitOfNone(weights: readonly number[], totalSeconds: number, pauseCount: number, speed: number): number {
  const expected = ((weights[0] ?? 0) * SECONDS_PER_CHARACTER * REST_FACTOR_MAX) / speed;
  return pauseCount * 0.5 + (expected === 0 ? 0 : Math.max(0, totalSeconds / expected - 1) * 2);
}

/**
 * Scores the assumption that `count` sentences are complete and the last of them ends at pause `index`. A higher score
 * is a worse fit.
 */
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
