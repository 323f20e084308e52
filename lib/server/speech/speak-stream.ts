import type { Gateway } from '../gateway';
import type { Reply } from '../http/call';
import { UpstreamFailed } from '../upstreams/models/upstream-failure';
import { type PaidSpeech, speechHeaders } from './paid-speech';
import { speechError } from './speech-error';
import { SpeechStream } from './speech-stream';
import { spokenPieces } from './spoken-pieces';
import { takeTurn } from './take-turn';

/** Answers with audio sentence by sentence, as soon as its first bytes are there. */
export async function speakStream(paid: PaidSpeech, gateway: Gateway): Promise<Reply> {
  const leaving = new AbortController();
  const stopListening = paid.call.whenGone(() => leaving.abort(new UpstreamFailed('gone')));
  let endTurn: (() => void) | undefined;
  let stream: SpeechStream | undefined;
  try {
    endTurn = await takeTurn(gateway, leaving.signal);
    stream = new SpeechStream(paid, gateway, { sentences: spokenPieces(paid.request.input), leaving, onOver: endTurn });
    await stream.open();
    const headers = {
      ...speechHeaders({ ...paid, model: stream.model }, paid.remainingNanoUsd),
      'cache-control': 'no-store, no-transform',
      // Some proxies would wait for more.
      'x-accel-buffering': 'no',
    };
    return { status: 200, headers, body: stream };
  } catch (error) {
    if (!stream) {
      endTurn?.();
      await gateway.meter.release(paid.reservation);
    }
    throw speechError(error);
  } finally {
    stopListening();
  }
}
