import { speak as speakOnce } from '@/lib/client/speech';
import { listSpeechModels, type SpeechModel, type SpeechRequest } from '@/lib/client/media-models';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import type { Turnpike } from './turnpike';
import { TurnpikeError, withTypedErrors } from './turnpike-error';
import { tell } from './turnpike-event';

export type { SpeechModel, SpeechRequest };

export interface SpeakOptions {
  signal?: AbortSignal;
  onProgress?: (progress: { bytes: number }) => void;
}

/** Speech whose audio is still arriving. */
export interface Speech {
  /** Media type such as `audio/mpeg`. */
  contentType: string;
  requestId: string | null;
  /** Wallet balance after the hold; null for API keys. */
  balanceRemainingUsd: string | null;
  /**
   * Yields audio as it arrives.
   *
   * @throws {TurnpikeError} ANSWER_BROKEN for incomplete audio; ANSWER_MALFORMED for audio beyond the size limit
   */
  chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;
  /** @throws {TurnpikeError} like `chunks` */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Synthesizes speech. Resolves when audio begins to arrive. Never retries, because a retry would be charged again.
 * @throws {TurnpikeError}
 * @example const audio = await (await speak(turnpike, { model: 'tts-kokoro', voice: 'af_sky', input: 'Hello',
 *   response_format: 'mp3' })).bytes();
 */
export async function speak(
  turnpike: Turnpike,
  request: SpeechRequest,
  { signal, onProgress }: SpeakOptions = {},
): Promise<Speech> {
  const answer = await withTypedErrors(() => speakOnce(turnpike.connection, request, signal ? { signal } : {}));
  let isTaken = false;
  async function* chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    if (isTaken)
      throw new TurnpikeError('OPTION_INVALID', {
        message: 'This audio was already read.',
        remedy: 'Keep the result of bytes().',
      });
    isTaken = true;
    const parts = answer.chunks[Symbol.asyncIterator]();
    let bytes = 0;
    try {
      for (;;) {
        const { done, value } = await withTypedErrors(() => parts.next());
        if (done) return;
        bytes += value.length;
        tell(onProgress, { bytes });
        yield value;
      }
    } finally {
      await parts.return?.();
    }
  }
  return {
    contentType: answer.contentType,
    requestId: answer.requestId,
    balanceRemainingUsd: answer.balanceRemainingUsd,
    chunks,
    bytes: () => joined(chunks()),
  };
}

/** Fetches the speech models. @throws {TurnpikeError} */
export function speechModels(turnpike: Turnpike, options?: { signal?: AbortSignal }): Promise<readonly SpeechModel[]> {
  return withTypedErrors(() => listSpeechModels(turnpike.connection, options));
}

async function joined(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new GrowingBytes();
  for await (const chunk of chunks) whole.append(chunk);
  return whole.bytes.slice();
}
