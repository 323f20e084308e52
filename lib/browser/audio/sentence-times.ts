import { splitIntoPieces } from '@/lib/protocol/speech/split-sentences';

export interface TimedSentence {
  text: string;
  startSeconds: number;
}

/** Loudness per time step of fixed length; 1 is full scale. */
export interface Envelope {
  peaks: Float32Array;
  secondsPerPeak: number;
}

/** Estimated time to speak a character at speed 1. Used until the audio shows the voice's real rate. */
export const SECONDS_PER_CHARACTER = 0.065;
const QUIET = 0.02;
/** Shortest silence that counts as a pause between sentences. */
const PAUSE_SECONDS_MIN = 0.12;
/**
 * Maximum distance between a pause and the estimated end of a sentence, as a share of the shorter adjacent sentence.
 */
const REACH = 0.45;

/** Estimates the start of each sentence from text lengths, for audio that is still arriving. */
export function guessedTimes(sentences: readonly string[], speed: number): TimedSentence[] {
  const total = sentences.reduce((sum, text) => sum + weightOf(text), 0);
  return spread(sentences, (total * SECONDS_PER_CHARACTER) / speed);
}

/** Estimates sentence ends from text lengths, then moves each end to the longest nearby pause. */
export function sentenceTimes(sentences: readonly string[], envelope: Envelope): TimedSentence[] {
  const seconds = envelope.peaks.length * envelope.secondsPerPeak;
  const guesses = spread(sentences, seconds);
  const pauses = pausesOf(envelope);
  let earliest = 0;
  return guesses.map(({ text, startSeconds }, index) => {
    if (index === 0) return { text, startSeconds: 0 };
    const before = startSeconds - (guesses[index - 1]?.startSeconds ?? 0);
    const after = (guesses[index + 1]?.startSeconds ?? seconds) - startSeconds;
    const reach = Math.max(0.3, REACH * Math.min(before, after));
    const near = pauses.filter(
      ({ endSeconds }) => endSeconds > earliest && Math.abs(endSeconds - startSeconds) <= reach,
    );
    const best = near.reduce<Pause | null>(
      (longest, pause) => (longest === null || pause.lengthSeconds > longest.lengthSeconds ? pause : longest),
      null,
    );
    earliest = Math.max(earliest, best?.endSeconds ?? startSeconds);
    return { text, startSeconds: earliest };
  });
}

/** Returns the index of the sentence that is spoken at `seconds`; -1 before the first sentence. */
export function sentenceAt(sentences: readonly TimedSentence[], seconds: number): number {
  return sentences.findLastIndex(({ startSeconds }) => startSeconds <= seconds + 0.02);
}

export interface Pause {
  endSeconds: number;
  lengthSeconds: number;
}

/** Returns the silences between sounds, without the silence before the first sound. */
export function pausesOf({ peaks, secondsPerPeak }: Envelope): Pause[] {
  const pauses: Pause[] = [];
  let quietFrom: number | null = null;
  peaks.forEach((peak, index) => {
    if (peak < QUIET) quietFrom ??= index;
    else if (quietFrom !== null) {
      const lengthSeconds = (index - quietFrom) * secondsPerPeak;
      if (quietFrom > 0 && lengthSeconds >= PAUSE_SECONDS_MIN)
        pauses.push({ endSeconds: index * secondsPerPeak, lengthSeconds });
      quietFrom = null;
    }
  });
  return pauses;
}

function spread(sentences: readonly string[], seconds: number): TimedSentence[] {
  const total = sentences.reduce((sum, text) => sum + weightOf(text), 0) || 1;
  let passed = 0;
  return sentences.map((text) => {
    const startSeconds = (passed / total) * seconds;
    passed += weightOf(text);
    return { text, startSeconds };
  });
}

/**
 * Estimates how long a text takes to say, relative to other texts. Adds a pause per sentence and counts a digit as a
 * word.
 */
export function weightOf(text: string): number {
  const trimmed = text.trim();
  return trimmed.length === 0 ? 0 : trimmed.length + 5 + 4 * (trimmed.match(/\d/g)?.length ?? 0);
}

/**
 * Splits a text into sentences. The joined sentences equal the text. A very long sentence counts as one, although the
 * gateway may speak it in parts.
 */
export function spokenSentences(text: string): string[] {
  const sentences: string[] = [];
  let open = '';
  for (const piece of splitIntoPieces(text)) {
    open += piece.text;
    if (!piece.endsSentence) continue;
    sentences.push(open);
    open = '';
  }
  return open === '' ? sentences : [...sentences, open];
}
