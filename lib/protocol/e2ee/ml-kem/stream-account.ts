import { estimateTokens, type TokenUsage } from '../../chat/token-usage';
import { AnswerEventReader } from './answer-events';
import { MlKemError, NONCE_BYTES, REQUEST_OVERHEAD_BYTES, TAG_BYTES } from './format';

/** Estimated size in bytes of an event without its text: id, model name, member names. */
const EVENT_BYTES = 240;

/** Measures an encrypted stream without decrypting it: chunks (`pieces`), lengths and reported usage. */
export class StreamAccount {
  readonly #events = new AnswerEventReader();
  pieces = 0;
  bytes = 0;
  /** Latest valid usage. */
  usage: TokenUsage | null = null;
  /** True after a plaintext event that should have been encrypted. */
  isInTheClear = false;
  /** Estimated tokens. Each chunk counts one token per four bytes without its envelope, and at least one token. */
  estimatedTokens = 0;
  hasFailed = false;

  get isWhole(): boolean {
    return this.#events.isWhole;
  }

  /** Reads the next bytes. An overlong line counts as plaintext and is dropped. */
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

/** Estimates an encrypted prompt's tokens: one per four bytes of the body without keys, nonce and tag. */
export function estimateSealedPrompt(bodyBytes: number): number {
  return Math.max(1, estimateTokens(bodyBytes - REQUEST_OVERHEAD_BYTES));
}
