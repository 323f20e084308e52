import type { Reply } from '../http/call';
import { UpstreamFailed } from '../upstreams/models/upstream-failure';
import { type PaidSpeech, speechHeaders } from './paid-speech';
import type { SpeechParts } from './speech';
import { speechError } from './speech-error';
import { SpeechStream } from './speech-stream';
import { spokenPieces } from './sentence-samples';
import { takeTurn } from './take-turn';

/** Streams audio sentence by sentence, as soon as the first bytes arrive. */
export async function speakStream(speech: PaidSpeech, parts: SpeechParts): Promise<Reply> {
  const leaving = new AbortController();
  const stopListening = speech.paid.call.whenGone(() => leaving.abort(new UpstreamFailed('gone')));
  let endTurn: (() => void) | undefined;
  let stream: SpeechStream | undefined;
  try {
    endTurn = await takeTurn(parts, leaving.signal, speech.paid.caller.accountId);
    stream = new SpeechStream(speech, parts, {
      sentences: spokenPieces(speech.request.input),
      leaving,
      onOver: endTurn,
    });
    // From here on, the stream settles or releases the hold.
    speech.paid.takeOver();
    await stream.open();
    const headers = {
      ...speechHeaders({ ...speech, model: stream.model }, speech.paid.remainingNanoUsd),
      'cache-control': 'no-store, no-transform',
      // Without this header, some proxies buffer.
      'x-accel-buffering': 'no',
    };
    return { status: 200, headers, body: stream };
  } catch (error) {
    if (!stream) endTurn?.();
    throw speechError(error);
  } finally {
    stopListening();
  }
}
