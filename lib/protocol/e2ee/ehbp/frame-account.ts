import { estimateTokens } from '../../chat/token-usage';
import { FRAME_HEAD_BYTES } from './frames';

const TAG_BYTES = 16;
/** What an event of a stream, or a whole completion, has around the model's words: the id, the name of the model, the names of members. */
const ENVELOPE_BYTES = 240;

/**
 * What can be seen of an encrypted answer from outside: how many frames it has, and how long each is. A server makes a
 * frame of each event that it streams, and one of what it answers whole.
 */
export class FrameAccount {
  /** Frames that have begun and are not empty. */
  frames = 0;
  /** Of those, how many have come whole. */
  wholeFrames = 0;
  bytes = 0;
  /** Of the frames before the last that has begun. */
  #tokensBefore = 0;
  /** Of that, without its head. */
  #received = 0;
  /** Of the head of the next frame. */
  #head = new Uint8Array(FRAME_HEAD_BYTES);
  #headBytes = 0;
  /** Of the frame that has begun. */
  #missing = 0;

  /** Tokens that the answer is taken for: of each frame at least one, and a quarter of what came of it beyond the bytes around the words. */
  get estimatedTokens(): number {
    return this.frames === 0 ? 0 : this.#tokensBefore + tokensOfFrame(this.#received);
  }

  /** Whether it ends with a whole frame. */
  get isWhole(): boolean {
    return this.#headBytes === 0 && this.#missing === 0;
  }

  /** Takes the next bytes. */
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

/** Tokens of an encrypted prompt where nobody counts: a quarter of the bytes of its body. */
export function estimateSealedPrompt(bodyBytes: number): number {
  return estimateTokens(Math.max(0, bodyBytes - FRAME_HEAD_BYTES - TAG_BYTES));
}
