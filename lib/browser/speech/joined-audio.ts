import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import type { TimedSentence } from './sentence-times';

/** The gateway puts this much silence between two sentences at speed 1 (docs/speech.md). */
export const PAUSE_SECONDS = 0.3;

/** Softer than this is silence. */
const QUIET = 0.02;
/** Kept of the silence beside a sound, so that no soft consonant is cut off. */
const MARGIN_SECONDS = 0.03;
/** Over this long a cut that falls into a sound fades, since a step in the samples clicks. */
const FADE_SECONDS = 0.004;

/** The sound of a text, and when each sentence begins in it. */
export interface SpokenText {
  samples: Float32Array<ArrayBuffer>;
  sentences: readonly TimedSentence[];
}

/**
 * Puts sentences that were spoken anew in the place of others, with pauses as the gateway makes them.
 * @param take the sound as it is; of its sentences those from `from` up to, without, `to` go
 * @param part what comes in their place
 * @param pauseSeconds between two sentences
 */
export function replaceSentences(
  take: SpokenText,
  from: number,
  to: number,
  part: SpokenText,
  pauseSeconds: number,
): SpokenText {
  const cut = (index: number) => Math.round((take.sentences[index]?.startSeconds ?? Infinity) * SPEECH_SAMPLE_RATE);
  const before =
    from === 0 ? new Float32Array() : trimEnd(take.samples.subarray(0, Math.min(cut(from), take.samples.length)));
  const after =
    to >= take.sentences.length
      ? new Float32Array()
      : trimStart(take.samples.subarray(Math.min(cut(to), take.samples.length)));
  const leading = leadingSilence(part.samples);
  const between = trimEnd(trimStart(part.samples));
  const pause = Math.round(pauseSeconds * SPEECH_SAMPLE_RATE);
  const startOfPart = before.length + (before.length > 0 ? pause : 0);
  const startOfRest = startOfPart + between.length + (after.length > 0 ? pause : 0);
  const samples = new Float32Array(startOfRest + after.length);
  samples.set(before, 0);
  samples.set(between, startOfPart);
  samples.set(after, startOfRest);
  const firstAfter = take.sentences[to]?.startSeconds ?? 0;
  const moved = (sentences: readonly TimedSentence[], bySeconds: number, earliest: number) =>
    sentences.map(({ text, startSeconds }) => ({ text, startSeconds: Math.max(earliest, startSeconds + bySeconds) }));
  return {
    samples,
    sentences: [
      ...take.sentences.slice(0, from),
      ...moved(part.sentences, (startOfPart - leading) / SPEECH_SAMPLE_RATE, startOfPart / SPEECH_SAMPLE_RATE),
      ...moved(
        take.sentences.slice(to),
        startOfRest / SPEECH_SAMPLE_RATE - firstAfter,
        startOfRest / SPEECH_SAMPLE_RATE,
      ),
    ],
  };
}

function leadingSilence(samples: Float32Array): number {
  const sound = samples.findIndex((sample) => Math.abs(sample) >= QUIET);
  return sound === -1 ? 0 : Math.max(0, sound - Math.round(MARGIN_SECONDS * SPEECH_SAMPLE_RATE));
}

function trimStart(samples: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  return faded(samples.slice(leadingSilence(samples)), 'in');
}

function trimEnd(samples: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const sound = samples.findLastIndex((sample) => Math.abs(sample) >= QUIET);
  return faded(samples.slice(0, sound + 1 + Math.round(MARGIN_SECONDS * SPEECH_SAMPLE_RATE)), 'out');
}

function faded(samples: Float32Array<ArrayBuffer>, direction: 'in' | 'out'): Float32Array<ArrayBuffer> {
  const length = Math.min(samples.length, Math.round(FADE_SECONDS * SPEECH_SAMPLE_RATE));
  for (let step = 0; step < length; step++) {
    const index = direction === 'in' ? step : samples.length - 1 - step;
    samples[index] = (samples[index] ?? 0) * (step / length);
  }
  return samples;
}
