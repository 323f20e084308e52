'use client';

import { type CallCredential, speak, type SpeechModel, type SpeechRequest, UnreachableError } from '@/lib/client';
import { noteCharge } from '../billing/last-charge';
import { gatewayOptions } from '../gateway';
import { decodeAudio, encodeSamples, envelopeOf } from './decoded-audio';
import { PAUSE_SECONDS, replaceSentences } from './joined-audio';
import { forgetTake, rememberTake } from './past-audio';
import { sentenceTimes } from './sentence-times';
import { countCharacters, speechCostUsd } from './speech-draft';
import { spokenSentences } from './spoken-sentences';
import { changeTake, findTake, type Redo, type Take, type TakeSound, whileRunning } from './takes';

const JOINED = '-joined';

/** Sentences of a take, from a number up to, without, another, and what is spoken in their place. */
export type Respoken = Pick<Redo, 'from' | 'to' | 'text'>;

/** What speaking sentences anew costs, decimal text of USD; null where the gateway has the model no more. */
export function respokenCostUsd(take: Take, text: string, models: readonly SpeechModel[]): string | null {
  const model = models.find(({ id }) => id === take.request.model);
  return model === undefined ? null : speechCostUsd(countCharacters(text.trim()), model.usdPerMillionCharacters);
}

/** All that is missing of a take that broke off; null where nothing is. */
export function restOf({ restFrom, sentences }: Take): Respoken | null {
  if (restFrom === null || restFrom >= sentences.length) return null;
  return {
    from: restFrom,
    to: sentences.length,
    text: sentences
      .slice(restFrom)
      .map(({ text }) => text)
      .join(''),
  };
}

/** Whether joining makes another file of a take than it was: WAV, of everything but raw samples. */
export function joinsAsWav({ contentType }: Take): boolean {
  return contentType !== 'audio/pcm' && contentType !== 'audio/wav';
}

/**
 * Speaks sentences of a take anew and joins it from its parts; the sound before stays, for undoing. Lossy audio cannot
 * be cut where a sentence ends, so that the joined take is WAV. Never rejects: what goes wrong is in the take.
 */
export async function speakAnew(
  id: string,
  respoken: Respoken,
  models: readonly SpeechModel[],
  credential: CallCredential | null,
): Promise<void> {
  const take = findTake(id);
  const costUsd = take === undefined ? null : respokenCostUsd(take, respoken.text, models);
  if (take?.audio == null || costUsd === null) return;
  changeTake(id, { redo: { ...respoken, status: 'asking', error: null } });
  await whileRunning(id, async (signal) => {
    try {
      const part = await partOf(take, respoken.text, models, credential, signal);
      changeTake(id, { costUsd: sumUsd(take.costUsd, costUsd) });
      await join(id, respoken, part);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const isStopped = error instanceof UnreachableError && error.aborted;
      changeTake(id, { redo: isStopped ? null : { ...respoken, status: 'failed', error } });
    }
  });
}

/** Goes back to the sound before the last change. What it cost stays spent. */
export async function undoAnew(id: string): Promise<void> {
  const take = findTake(id);
  const last = take?.earlier.at(-1);
  if (take === undefined || last === undefined) return;
  const left = take.playUrl;
  const earlier = take.earlier.slice(0, -1);
  changeTake(id, { ...last, earlier, characters: countCharacters(last.request.input), playsAtOnce: false, redo: null });
  if (left !== null) URL.revokeObjectURL(left);
  const undone = findTake(id);
  if (undone?.audio == null) return;
  // What came from the history joined is an entry of its own already.
  if (earlier.length === 0 && joinedId(id) !== id) await forgetTake(joinedId(id));
  else await rememberTake(joinedId(id), undone, undone.audio);
}

/** The sound of a part of a take, whole. */
async function partOf(
  take: Take,
  text: string,
  models: readonly SpeechModel[],
  credential: CallCredential | null,
  signal: AbortSignal,
): Promise<Float32Array<ArrayBuffer>> {
  const { streaming: _streaming, ...asked } = take.request;
  // Without loss where the model has it: the part is not encoded twice.
  const isLossless = models.find(({ id }) => id === asked.model)?.formats.includes('wav') === true;
  const request: SpeechRequest = { ...asked, input: text.trim(), ...(isLossless ? { response_format: 'wav' } : {}) };
  const answer = await speak(gatewayOptions(credential), request, { signal });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of answer.chunks) parts.push(chunk);
  noteCharge(answer.balanceRemainingUsd);
  const { samples } = await decodeAudio(new Blob(parts, { type: answer.contentType }));
  return samples;
}

async function join(id: string, { from, to, text }: Respoken, part: Float32Array<ArrayBuffer>): Promise<void> {
  const take = findTake(id);
  if (take?.audio == null) return;
  const { samples: before } = await decodeAudio(take.audio);
  const spoken = { samples: part, sentences: sentenceTimes(spokenSentences(text), envelopeOf(part)) };
  const { samples, sentences } = replaceSentences(
    { samples: before, sentences: take.sentences },
    from,
    to,
    spoken,
    PAUSE_SECONDS / (take.request.speed ?? 1),
  );
  const envelope = envelopeOf(samples);
  const contentType = take.contentType === 'audio/pcm' ? 'audio/pcm' : 'audio/wav';
  const audio = await encodeSamples(samples, contentType);
  const input = sentences.map((sentence) => sentence.text).join('');
  const isWhole = take.restFrom === null || to >= take.sentences.length;
  changeTake(id, {
    request: { ...take.request, input },
    characters: countCharacters(input),
    status: isWhole ? 'there' : take.status,
    restFrom: isWhole ? null : take.restFrom,
    audio,
    bytes: audio.size,
    contentType,
    durationSeconds: envelope.peaks.length * envelope.secondsPerPeak,
    envelope,
    sentences,
    playUrl: URL.createObjectURL(await playable(samples)),
    playsAtOnce: false,
    redo: null,
    earlier: [...take.earlier, soundOf(take)],
  });
  const joined = findTake(id);
  if (joined !== undefined) await rememberTake(joinedId(id), joined, audio);
}

function playable(samples: Float32Array): Promise<Blob> {
  return encodeSamples(samples, 'audio/wav');
}

function soundOf({
  request,
  status,
  playUrl,
  audio,
  bytes,
  contentType,
  durationSeconds,
  envelope,
  sentences,
  restFrom,
}: Take): TakeSound {
  return { request, status, playUrl, audio, bytes, contentType, durationSeconds, envelope, sentences, restFrom };
}

/** The history holds a take as it came, and beside it as it was joined last. */
function joinedId(id: string): string {
  return id.endsWith(JOINED) ? id : id + JOINED;
}

/** Both are decimal texts of USD, to the ninth place at most. */
function sumUsd(one: string, other: string): string {
  return (Number(one) + Number(other)).toFixed(9);
}
