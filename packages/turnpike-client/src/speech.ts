import { speak as speakOnce } from '@/lib/client/speech';
import { listSpeechModels, type SpeechModel, type SpeechRequest } from '@/lib/client/speech-models';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import type { Turnpike } from './turnpike';
import { TurnpikeError, withTypedErrors } from './turnpike-error';
import { tell } from './turnpike-event';

export type { SpeechModel, SpeechRequest };

export interface SpeakOptions {
  signal?: AbortSignal;
  /** Hears how many bytes of audio have come. */
  onProgress?: (progress: { bytes: number }) => void;
}

/** Audio on its way. */
export interface Speech {
  /** As `audio/mpeg`. */
  contentType: string;
  requestId: string | null;
  /** What a wallet holds after the reservation; null under an API key. */
  balanceRemainingUsd: string | null;
  /** The audio as it arrives. @throws {TurnpikeError} ANSWER_BROKEN: what came is not all; ANSWER_MALFORMED where it does not end */
  chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;
  /** All of it. @throws {TurnpikeError} ANSWER_BROKEN */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Has a text spoken. Resolves when audio begins to come. It is not repeated by itself: what was spoken is charged.
 * @throws {TurnpikeError}
 * @example const audio = await (await speak(turnpike, { model: 'tts-kokoro', voice: 'af_sky', input: 'Hello', response_format: 'mp3' })).bytes();
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
        message: 'This audio was read already.',
        remedy: 'Keep what bytes() gave.',
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

/** The models that speak, with their voices, formats and prices. @throws {TurnpikeError} */
export function speechModels(turnpike: Turnpike, options?: { signal?: AbortSignal }): Promise<readonly SpeechModel[]> {
  return withTypedErrors(() => listSpeechModels(turnpike.connection, options));
}

async function joined(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new GrowingBytes();
  for await (const chunk of chunks) whole.append(chunk);
  return whole.bytes.slice();
}
