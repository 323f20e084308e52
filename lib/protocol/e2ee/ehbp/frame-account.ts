import { estimateTokens } from '../../chat/token-usage';
import { FRAME_HEAD_BYTES } from './frames';

const TAG_BYTES = 16;
/** Estimated size in bytes of an event or completion besides the text: id, model name, member names. */
const ENVELOPE_BYTES = 240;

/**
 * Measures an encrypted answer by the number and lengths of its frames. Servers send a frame per streamed event, or one
 * frame for a whole answer.
 */
export class FrameAccount {
  /** Number of non-empty frames whose header has arrived. */
  frames = 0;
  wholeFrames = 0;
  bytes = 0;
  #tokensBefore = 0;
  /** Received bytes of the current frame, without its header. */
  #received = 0;
  #head = new Uint8Array(FRAME_HEAD_BYTES);
  #headBytes = 0;
  #missing = 0;

  /** Estimated tokens. Each frame counts one token per four bytes without the envelope, and at least one token. */
  get estimatedTokens(): number {
    return this.frames === 0 ? 0 : this.#tokensBefore + tokensOfFrame(this.#received);
  }

  get isWhole(): boolean {
    return this.#headBytes === 0 && this.#missing === 0;
  }

  push(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    let at = 0;
    while (at < bytes.length) {
      if (this.#missing > 0) {
        const taken = Math.min(this.#missing, bytes.length - at);
        this.#missing -= taken;
        this.#received += taken;
        at += taken;
        if (this.#missing === 0) this.wholeFrames++;
      } else {
        this.#head[this.#headBytes++] = bytes[at++] as number;
        if (this.#headBytes === FRAME_HEAD_BYTES) this.#begin();
      }
    }
  }

  #begin(): void {
    this.#headBytes = 0;
    this.#missing = new DataView(this.#head.buffer).getUint32(0);
    if (this.#missing === 0) return;
    this.#tokensBefore = this.estimatedTokens;
    this.#received = 0;
    this.frames++;
  }
}

function tokensOfFrame(bytes: number): number {
  return Math.max(1, estimateTokens(bytes - TAG_BYTES - ENVELOPE_BYTES));
}

/** Estimates an encrypted prompt's tokens: one per four bytes of the body. */
export function estimateSealedPrompt(bodyBytes: number): number {
  return estimateTokens(Math.max(0, bodyBytes - FRAME_HEAD_BYTES - TAG_BYTES));
}
