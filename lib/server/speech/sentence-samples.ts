import { charactersOf } from '@/lib/protocol/speech/speech-request';
import type { SpeakingModels } from './speaking-models';
import { isBlank, silence, TrailingSilence } from './silence';
import { samplesOf } from './upstream/open-audio';
import type { UpstreamAudio } from './upstream/upstream-audio';
import { type SentencePiece, splitIntoPieces } from '@/lib/protocol/speech/split-sentences';

interface SpokenSentence {
  characters: number;
  /** Null for a sentence that is silence. */
  audio: UpstreamAudio | null;
}

export interface SentenceSamplesOptions {
  sentences: readonly SentencePiece[];
  /** The pauses between sentences are as much shorter. */
  speed: number;
  models: SpeakingModels;
}

/**
 * The samples of sentences, one after another. A sentence is asked for when the one before has come in full, while that
 * is still being encoded. Between two sentences is the pause of a whole file: silence that a sentence ends with is made up
 * to it, for engines trim it. Where an upstream fails before its first sound, another is asked, which then speaks all of
 * them. Ends early where a sentence fails, with what came before it whole: `failure` then says why.
 */
export class SentenceSamples {
  /** Characters of the sentences that were passed on in full. */
  finishedCharacters = 0;
  /** The same with the sentence of which some was passed on. */
  begunCharacters = 0;
  failure: unknown = null;
  /** Whether every sentence has come. Set before the last sound is passed on. */
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

  /** Characters of the sentences that the upstream was sent, passed on or not. */
  get askedCharacters(): number {
    const asked = this.#asked.reduce((sum, { audio, characters }) => sum + (audio?.isSent ? characters : 0), 0);
    return Math.max(asked, this.begunCharacters);
  }

  /** Ends whatever is asked for. */
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
      // The very last is passed on when it is known for that.
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

  /** Forgets what the upstream before was asked. */
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
 * The pieces of a text that a stream asks for one by one; put together again they are the text. One with nothing to say
 * goes with the one before, so that it adds no silence of its own; a text of nothing else is one piece.
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
