/** A piece of the spoken text, and when its first sound is heard. */
export interface TimedSentence {
  text: string;
  startSeconds: number;
}

/** How loud the audio is, by steps of a fixed length; 1 is full scale. */
export interface Envelope {
  peaks: Float32Array;
  secondsPerPeak: number;
}

/** Speech at speed 1, as a first guess until the audio says it itself. */
export const SECONDS_PER_CHARACTER = 0.065;
const QUIET = 0.02;
/** A pause within a sentence is shorter than this. */
const PAUSE_SECONDS_MIN = 0.12;
/** How far from its guess a pause may be and still be taken for the end of a sentence, as a share of its neighbours. */
const REACH = 0.45;

/** When each sentence begins, guessed from their lengths: for audio that is still on its way. */
export function guessedTimes(sentences: readonly string[], speed: number): TimedSentence[] {
  const total = sentences.reduce((sum, text) => sum + weightOf(text), 0);
  return spread(sentences, (total * SECONDS_PER_CHARACTER) / speed);
}

/**
 * When each sentence begins. Voices say neither, so the ends are guessed from lengths, and each guess moves to the
 * longest pause nearby. Without a pause nearby the guess stays.
 */
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

/** Which sentence is heard at a time; -1 where there is none. */
export function sentenceAt(sentences: readonly TimedSentence[], seconds: number): number {
  return sentences.findLastIndex(({ startSeconds }) => startSeconds <= seconds + 0.02);
}

/** A silence between two sounds. */
export interface Pause {
  endSeconds: number;
  lengthSeconds: number;
}

/** The silences between sounds, long enough to be heard as such; none before the first sound. */
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

/** How long a text takes to say, against others: every sentence ends with a pause, and a digit is a word. */
export function weightOf(text: string): number {
  const trimmed = text.trim();
  return trimmed.length === 0 ? 0 : trimmed.length + 5 + 4 * (trimmed.match(/\d/g)?.length ?? 0);
}
