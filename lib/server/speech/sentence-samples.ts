import type { SentencePiece } from '@/lib/protocol/speech/split-sentences';
import { charactersOf } from '@/lib/protocol/speech/speech-request';
import { isBlank, silence } from './silence';
import { TrailingSilence } from './trailing-silence';
import { samplesOf } from './upstream/open-audio';
import type { SpeechUpstream } from './upstream/speech-upstream';
import type { UpstreamAudio } from './upstream/upstream-audio';

interface SpokenSentence {
  characters: number;
  /** Null for a sentence that is silence. */
  audio: UpstreamAudio | null;
}

export interface SentenceSamplesOptions {
  sentences: readonly SentencePiece[];
  /** The pauses between sentences are as much shorter. */
  speed: number;
  upstream: SpeechUpstream;
  /** Asks the upstream for a sentence. */
  speak(sentence: string): UpstreamAudio;
}

/**
 * The samples of sentences, one after another. A sentence is asked for when the one before has come in full, while that
 * is still being encoded. Between two sentences is the pause of a whole file: silence that a sentence ends with is made up
 * to it, for engines trim it. Ends early where one fails, with what came before it whole: `failure` then says why.
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
        yield* this.#samplesOf(this.#sentence(index), isLast, trailing);
        if (!isLast && sentences[index]?.endsSentence) yield* this.#restOfPause(trailing.length);
      }
    } catch (error) {
      this.failure = error;
    } finally {
      this.abort();
    }
  }

  /** Ends whatever is asked for. */
  abort(): void {
    this.#isOver = true;
    for (const { audio } of this.#asked) audio?.abort();
  }

  async *#samplesOf(sentence: SpokenSentence, isLast: boolean, trailing: TrailingSilence): AsyncGenerator<Int16Array> {
    const { audio, characters } = sentence;
    const { upstream } = this.#options;
    let held: Int16Array | null = null;
    let hasBegun = false;
    for await (const samples of audio ? samplesOf(audio, upstream) : silent()) {
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

  *#restOfPause(silentLength: number): Generator<Int16Array> {
    const rest = silence(this.#options.speed).subarray(silentLength);
    if (rest.length > 0) yield rest;
  }

  #sentence(index: number): SpokenSentence {
    const asked = this.#asked[index];
    if (asked) return asked;
    const { sentences, speak } = this.#options;
    const text = (sentences[index] as SentencePiece).text;
    const sentence = { characters: charactersOf(text), audio: isBlank(text) ? null : speak(text) };
    this.#asked[index] = sentence;
    void sentence.audio?.ended.then((isWhole) => {
      if (isWhole && !this.#isOver && index + 1 < sentences.length) this.#sentence(index + 1);
    });
    return sentence;
  }
}

async function* silent(): AsyncGenerator<Int16Array> {
  yield silence();
}
