import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import type { TimedSentence } from './sentence-times';

/** Silence that the gateway puts between two sentences at speed 1 (docs/speech.md). */
export const PAUSE_SECONDS = 0.3;

/** Samples below this level count as silence. */
const QUIET = 0.02;
/** Silence kept around a sound, so that no soft consonant is cut off. */
const MARGIN_SECONDS = 0.03;
/** Length of the fade at a cut within a sound. Without a fade, the step in the samples would click. */
const FADE_SECONDS = 0.004;

export interface SpokenText {
  samples: Float32Array<ArrayBuffer>;
  sentences: readonly TimedSentence[];
}

/**
 * Replaces sentences in a recording. Puts pauses of `pauseSeconds` before and after the new sound.
 * @param recording current sound; sentences from `from` (inclusive) to `to` (exclusive) are replaced
 * @param part new sound
 */
export function replaceSentences(
  recording: SpokenText,
  from: number,
  to: number,
  part: SpokenText,
  pauseSeconds: number,
): SpokenText {
  const cut = (index: number) =>
    Math.round((recording.sentences[index]?.startSeconds ?? Infinity) * SPEECH_SAMPLE_RATE);
  const before =
    from === 0
      ? new Float32Array()
      : trimEnd(recording.samples.subarray(0, Math.min(cut(from), recording.samples.length)));
  const after =
    to >= recording.sentences.length
      ? new Float32Array()
      : trimStart(recording.samples.subarray(Math.min(cut(to), recording.samples.length)));
  const leading = leadingSilence(part.samples);
  const between = trimEnd(trimStart(part.samples));
  const pause = Math.round(pauseSeconds * SPEECH_SAMPLE_RATE);
  const startOfPart = before.length + (before.length > 0 ? pause : 0);
  const startOfRest = startOfPart + between.length + (after.length > 0 ? pause : 0);
  const samples = new Float32Array(startOfRest + after.length);
  samples.set(before, 0);
  samples.set(between, startOfPart);
  samples.set(after, startOfRest);
  const firstAfter = recording.sentences[to]?.startSeconds ?? 0;
  const moved = (sentences: readonly TimedSentence[], bySeconds: number, earliest: number) =>
    sentences.map(({ text, startSeconds }) => ({ text, startSeconds: Math.max(earliest, startSeconds + bySeconds) }));
  return {
    samples,
    sentences: [
      ...recording.sentences.slice(0, from),
      ...moved(part.sentences, (startOfPart - leading) / SPEECH_SAMPLE_RATE, startOfPart / SPEECH_SAMPLE_RATE),
      ...moved(
        recording.sentences.slice(to),
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
