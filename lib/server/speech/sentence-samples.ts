import { charactersOf } from '@/lib/protocol/speech/speech-request';
import type { SpeakingModels } from './speaking-models';
import { isBlank, silence, TrailingSilence } from './silence';
import { samplesOf } from './upstream/open-audio';
import type { UpstreamAudio } from './upstream/upstream-audio';
import { type SentencePiece, splitIntoPieces } from '@/lib/protocol/speech/split-sentences';

interface SpokenSentence {
  characters: number;
  /** Audio from the upstream; null for a sentence with nothing to speak. */
  audio: UpstreamAudio | null;
}

interface SentenceSamplesOptions {
  sentences: readonly SentencePiece[];
  /** Speed of the speech. A higher speed also makes the pauses shorter. */
  speed: number;
  models: SpeakingModels;
}

/**
 * Yields the samples of sentences in order. Requests the next sentence while the current one is encoded. Between
 * sentences, adds silence up to a fixed pause, because engines trim silence. If an upstream fails before its first
 * sound, asks another upstream. After a later failure, the samples end early, and `failure` is set.
 */
export class SentenceSamples {
  /** Characters in the sentences that were yielded completely. */
  finishedCharacters = 0;
  /** Characters in the sentences that were yielded completely or in part. */
  begunCharacters = 0;
  failure: unknown = null;
  /** True once the audio of every sentence has arrived. Set before the last samples are yielded. */
  isAllSpoken = false;
  readonly #options: SentenceSamplesOptions;
  #asked: SpokenSentence[] = [];
  #isOver = false;

  constructor(options: SentenceSamplesOptions) {
    this.#options = options;
  }

  async *samples(): AsyncGenerator<Int16Array> {
    const { sentences } = this.#options;
    try {
      for (let index = 0; index < sentences.length; index++) {
        const isLast = index === sentences.length - 1;
        const trailing = new TrailingSilence();
        yield* this.#samplesOf(index, isLast, trailing);
        if (!isLast && sentences[index]?.endsSentence) yield* this.#restOfPause(trailing.length);
      }
    } catch (error) {
      this.failure = error;
    } finally {
      this.abort();
    }
  }

  /** Characters in the sentences that were sent to the upstream. */
  get askedCharacters(): number {
    const asked = this.#asked.reduce((sum, { audio, characters }) => sum + (audio?.isSent ? characters : 0), 0);
    return Math.max(asked, this.begunCharacters);
  }

  abort(): void {
    this.#isOver = true;
    for (const { audio } of this.#asked) audio?.abort();
  }

  async *#samplesOf(index: number, isLast: boolean, trailing: TrailingSilence): AsyncGenerator<Int16Array> {
    const { audio, characters } = this.#sentence(index);
    let held: Int16Array | null = null;
    let hasBegun = false;
    for await (const samples of audio ? this.#soundOf(index, audio) : silent()) {
      if (!hasBegun) this.begunCharacters += characters;
      hasBegun = true;
      trailing.push(samples);
      // The last piece is held back until the sentence has ended and `isAllSpoken` is set.
      if (held) yield held;
      if (isLast) held = samples;
      else yield samples;
    }
    this.finishedCharacters += characters;
    if (!isLast) return;
    this.isAllSpoken = true;
    if (held) yield held;
  }

  async *#soundOf(index: number, first: UpstreamAudio): AsyncGenerator<Int16Array> {
    const { models } = this.#options;
    for (let audio: UpstreamAudio | null = first; audio;) {
      try {
        for await (const samples of samplesOf(audio, models.current.upstream)) {
          models.worked();
          yield samples;
        }
        return;
      } catch (error) {
        models.failed(error);
        if (this.#isOver || !models.next(error)) throw error;
        audio = this.#askAnew(index);
      }
    }
  }

  *#restOfPause(silentLength: number): Generator<Int16Array> {
    const rest = silence(this.#options.speed).subarray(silentLength);
    if (rest.length > 0) yield rest;
  }

  #askAnew(index: number): UpstreamAudio | null {
    for (const { audio } of this.#asked.splice(index)) audio?.abort();
    return this.#sentence(index).audio;
  }

  #sentence(index: number): SpokenSentence {
    const asked = this.#asked[index];
    if (asked) return asked;
    const { sentences, models } = this.#options;
    const text = (sentences[index] as SentencePiece).text;
    const sentence = { characters: charactersOf(text), audio: isBlank(text) ? null : models.speak(text) };
    this.#asked[index] = sentence;
    void sentence.audio?.ended.then((isWhole) => {
      if (isWhole && !this.#isOver && this.#asked[index] === sentence && index + 1 < sentences.length)
        this.#sentence(index + 1);
    });
    return sentence;
  }
}

async function* silent(): AsyncGenerator<Int16Array> {
  yield silence();
}

/**
 * Splits a text into pieces, each for a separate request. The joined pieces equal the text. A piece with nothing to
 * speak is joined with a neighbour.
 */
export function spokenPieces(text: string): SentencePiece[] {
  const pieces: SentencePiece[] = [];
  for (const piece of splitIntoPieces(text)) {
    const last = pieces.at(-1);
    if (last === undefined || !(isBlank(piece.text) || isBlank(last.text))) pieces.push(piece);
    else pieces[pieces.length - 1] = { text: last.text + piece.text, endsSentence: piece.endsSentence };
  }
  return pieces;
}
