import { apiError } from '@/lib/protocol/errors';
import { gathered } from '../http/held-memory/held-parts';
import type { Reply } from '../http/call';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { failureError, UpstreamFailed } from '../upstreams/models/upstream-error';
import type { SlotsBusy } from '../upstreams/request-slots';
import type { EncodersBusyError } from './encoding/encoding-error';
import { keepSpeechAlive, type PaidSpeech, settleSpeech, speechHeaders } from './paid-speech';
import { spokenPieces } from './sentence-samples';
import { isBlank, silence } from './silence';
import { SpeakingModels } from './speaking-models';
import type { SpeechParts } from './speech';
import { SpeechStream } from './speech-stream';
import { fileOf, samplesOf } from './upstream/open-audio';

/** Waits for the first bytes of audio, then streams sentence by sentence. */
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
    // From now on, the stream itself charges the hold or releases it.
    speech.paid.takeOver();
    await stream.open();
    const headers = {
      ...speechHeaders({ ...speech, model: stream.model }, speech.paid.remainingNanoUsd),
      'cache-control': 'no-store, no-transform',
      // Without this header, some proxies buffer the stream.
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

/**
 * Answers with a whole file. A failed call is free. If the text was sent to the upstream, a client that disconnects
 * pays.
 */
export async function speakWhole(speech: PaidSpeech, parts: SpeechParts): Promise<Reply> {
  const leaving = new AbortController();
  const stopListening = speech.paid.call.whenGone(() => leaving.abort(new UpstreamFailed('gone')));
  const stopKeeping = keepSpeechAlive(speech, () => 0);
  const progress: Progress = { isSent: false };
  let endTurn: (() => void) | undefined;
  try {
    endTurn = await takeTurn(parts, leaving.signal, speech.paid.caller.accountId);
    const { body, spoken } = await wholeFile(speech, parts, leaving.signal, progress);
    leaving.signal.throwIfAborted();
    progress.isSettling = true;
    const settled = await settleSpeech(speech, speech.characters, speech.paid.replayOf(body));
    return {
      status: 200,
      headers: { ...speechHeaders(spoken, settled.remainingNanoUsd), ...speech.paid.settledHeaders(settled) },
      body,
    };
  } catch (error) {
    if (leaving.signal.aborted && progress.isSent && !progress.isSettling)
      await settleSpeech(speech, speech.characters);
    throw speechError(error);
  } finally {
    endTurn?.();
    stopListening();
    stopKeeping();
  }
}

interface Progress {
  /** True if the current upstream has received the text. */
  isSent: boolean;
  isSettling?: boolean;
}

async function wholeFile(
  speech: PaidSpeech,
  parts: SpeechParts,
  signal: AbortSignal,
  progress: Progress,
): Promise<{ body: Buffer; spoken: PaidSpeech }> {
  const { format, request } = speech;
  const memory = parts.memory ?? null;
  const encode: Encode = (samples) =>
    gathered(parts.encoders.encode({ format, isStreamed: false, signal }, samples), memory);
  if (isBlank(request.input)) return { body: await encode(one(silence())), spoken: speech };
  const models = new SpeakingModels(speech, parts);
  for (;;) {
    const spoken = { ...speech, model: models.current };
    try {
      const body = await spokenFile(models, speech, { encode, memory }, signal, progress);
      models.worked();
      return { body, spoken };
    } catch (error) {
      models.failed(error);
      if (signal.aborted || !models.next(error)) throw error;
    }
  }
}

type Encode = (samples: AsyncIterable<Int16Array>) => Promise<Buffer>;

/**
 * Returns the file in the upstream's own encoding. WAV and PCM are encoded again, because upstreams' headers of these
 * formats are often wrong.
 */
async function spokenFile(
  models: SpeakingModels,
  { format, request }: PaidSpeech,
  { encode, memory }: { encode: Encode; memory: HeldMemory | null },
  signal: AbortSignal,
  progress: Progress,
): Promise<Buffer> {
  const { upstream } = models.current;
  const isPassedOn = format !== 'wav' && format !== 'pcm' && upstream.formats.includes(format);
  const audio = models.speak(request.input, isPassedOn ? format : upstream.rawFormat);
  const onAbort = (): void => audio.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await (isPassedOn ? fileOf(audio, format, upstream, memory) : encode(samplesOf(audio, upstream)));
  } finally {
    signal.removeEventListener('abort', onAbort);
    progress.isSent = audio.isSent;
    audio.abort();
  }
}

async function* one(samples: Int16Array): AsyncGenerator<Int16Array> {
  yield samples;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Waits for one of the slots that limit concurrent speech.
 * @returns a function that frees the slot
 * @param caller the caller's account; accounts take turns
 * @throws ApiError SPEECH_BUSY if the caller would wait too long; the signal's reason if it aborts the wait
 */
async function takeTurn(
  { turns, config }: Pick<SpeechParts, 'turns' | 'config'>,
  signal: AbortSignal,
  caller: number,
): Promise<() => void> {
  try {
    return await turns.take(caller, { waitMsMax: config.queueTimeoutMs, signal });
  } catch (error) {
    // Compares class names, because each bundle in the process has its own copy of the class.
    if (error instanceof Error && error.name === 'SlotsBusy')
      throw speechBusy(Math.ceil((error as SlotsBusy).retryAfterMs / 1_000));
    throw error;
  }
}

export function speechBusy(retryAfterSeconds = RETRY_AFTER_SECONDS) {
  return apiError('SPEECH_BUSY', { headers: { 'retry-after': String(retryAfterSeconds) } });
}

function speechError(error: unknown): unknown {
  // Compares class names, because each bundle has its own copy of the class.
  if (error instanceof Error && error.name === 'EncodersBusyError')
    return speechBusy((error as EncodersBusyError).retryAfterSeconds);
  return failureError(error);
}
