import type { Reply } from '../http/call';
import { gathered } from '../http/held-memory/gathered';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { UpstreamFailed } from '../upstreams/models/upstream-failure';
import { keepSpeechAlive, type PaidSpeech, settleSpeech, speechHeaders } from './paid-speech';
import { isBlank, silence } from './silence';
import { SpeakingModels } from './speaking-models';
import type { SpeechParts } from './speech';
import { speechError } from './speech-error';
import { takeTurn } from './take-turn';
import { fileOf, samplesOf } from './upstream/open-audio';

/**
 * Answers with a whole file. Failures are free. A client that disconnects pays if the text was sent to the upstream.
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

/** Fails over until a file is complete. */
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

/** Returns the file. Forwards the upstream's encoding, except for WAV and PCM, whose headers are often wrong. */
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
