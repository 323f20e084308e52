import { estimateTokens, type TokenUsage } from '../../chat/token-usage';
import { AnswerEventReader } from './answer-events';
import { MlKemError } from './ml-kem-error';
import { NONCE_BYTES, REQUEST_OVERHEAD_BYTES, TAG_BYTES } from './sizes';

/** What an event of a stream has around the model's words: the id, the name of the model, the names of members. */
const EVENT_BYTES = 240;

/** What can be seen of a streamed answer from outside: how many pieces it has, how long each is, and what it says that it took. */
export class StreamAccount {
  readonly #events = new AnswerEventReader();
  pieces = 0;
  bytes = 0;
  /** What was told last in the clear; null where nothing was, or nothing that can be read. */
  usage: TokenUsage | null = null;
  /** Whether it has an event that is not encrypted and should be. */
  isInTheClear = false;
  /** Tokens that the answer is taken for: of each piece at least one, and a quarter of what is in it beyond the bytes around the words. */
  estimatedTokens = 0;
  /** Whether it says that something went wrong. */
  hasFailed = false;

  /** Whether it ends with a whole event. */
  get isWhole(): boolean {
    return this.#events.isWhole;
  }

  /** Takes the next bytes. Of a line that does not end nothing is kept: it is in the clear. */
  push(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    if (this.isInTheClear) return;
    try {
      for (const event of this.#events.push(bytes)) {
        if (event.kind === 'piece') this.#piece(event.sealed);
        else if (event.kind === 'usage') this.usage = event.usage ?? this.usage;
        else if (event.kind === 'error') this.hasFailed = true;
        else if (event.kind === 'plain') this.isInTheClear = true;
      }
    } catch (error) {
      if (!(error instanceof MlKemError)) throw error;
      this.isInTheClear = true;
    }
  }

  #piece(sealed: string): void {
    this.pieces++;
    const bytes = Math.floor((sealed.length * 3) / 4) - NONCE_BYTES - TAG_BYTES;
    this.estimatedTokens += Math.max(1, estimateTokens(bytes - EVENT_BYTES));
  }
}

/** Tokens of an encrypted prompt where nobody counts: a quarter of the bytes of its body beyond those of keys. */
export function estimateSealedPrompt(bodyBytes: number): number {
  return Math.max(1, estimateTokens(bodyBytes - REQUEST_OVERHEAD_BYTES));
}
