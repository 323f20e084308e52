import type { Gateway } from '../gateway';
import type { Reply } from '../http/call';
import { UpstreamFailed } from '../inference/upstream-failure';
import { keepSpeechNoted, type PaidSpeech, settleSpeech, speechHeaders } from './paid-speech';
import { isBlank, silence } from './silence';
import { speechError } from './speech-error';
import { speechQuestion } from './speech-question';
import { takeTurn } from './take-turn';
import { fileOf, samplesOf } from './upstream/open-audio';

/**
 * Answers with a whole file, once it is there and its charge committed. Whatever fails before, and whoever leaves before,
 * is charged nothing.
 */
export async function speakWhole(paid: PaidSpeech, gateway: Gateway): Promise<Reply> {
  const leaving = new AbortController();
  const stopListening = paid.call.whenGone(() => leaving.abort(new UpstreamFailed('gone')));
  const stopNoting = keepSpeechNoted(paid, gateway, () => 0);
  let endTurn: (() => void) | undefined;
  try {
    endTurn = await takeTurn(gateway, leaving.signal);
    const body = await wholeFile(paid, gateway, leaving.signal);
    leaving.signal.throwIfAborted();
    const { remainingNanoUsd } = await settleSpeech(paid, paid.characters, gateway);
    return { status: 200, headers: speechHeaders(paid, remainingNanoUsd), body };
  } catch (error) {
    throw speechError(error);
  } finally {
    endTurn?.();
    stopListening();
    stopNoting();
    await gateway.meter.release(paid.reservation);
  }
}

/** What the upstream encodes itself is passed on; WAV and PCM never are, since many write headers that are not true. */
async function wholeFile(paid: PaidSpeech, gateway: Gateway, signal: AbortSignal): Promise<Uint8Array[]> {
  const { model, format, request } = paid;
  const { upstream } = model;
  const encode = (samples: AsyncIterable<Int16Array>): Promise<Uint8Array[]> => collected(gateway.speech.encoders.encode({ format, isStreamed: false, signal }, samples));
  if (isBlank(request.input)) return encode(one(silence()));
  const isPassedOn = format !== 'wav' && format !== 'pcm' && upstream.formats.includes(format);
  const audio = upstream.speak(speechQuestion(paid, request.input, isPassedOn ? format : upstream.rawFormat));
  const onAbort = (): void => audio.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await (isPassedOn ? fileOf(audio, format, upstream) : encode(samplesOf(audio, upstream)));
  } finally {
    signal.removeEventListener('abort', onAbort);
    audio.abort();
  }
}

async function collected(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return parts;
}

async function* one(samples: Int16Array): AsyncGenerator<Int16Array> {
  yield samples;
}
