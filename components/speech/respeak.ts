'use client';

import { type CallCredential, speak, type SpeechModel, type SpeechRequest, UnreachableError } from '@/lib/client';
import { noteCharge } from '@/components/billing/last-charge';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { decodeAudio, encodeSamples, envelopeOf } from '@/lib/browser/audio/decoded-audio';
import { PAUSE_SECONDS, replaceSentences } from '@/lib/browser/audio/joined-audio';
import { forgetRecording, rememberRecording } from './past-audio';
import { sentenceTimes, spokenSentences } from '@/lib/browser/audio/sentence-times';
import { countCharacters, speechCostUsd } from './speech-draft';
import {
  changeRecording,
  findRecording,
  type Redo,
  type Recording,
  type RecordingSound,
  whileRunning,
} from './recordings';

const JOINED = '-joined';

/** Range of sentences (`from` inclusive, `to` exclusive) and the text that replaces them. */
export type Respoken = Pick<Redo, 'from' | 'to' | 'text'>;

/** Returns the price of respeaking sentences, decimal USD; null if the gateway no longer has the model. */
export function respokenCostUsd(recording: Recording, text: string, models: readonly SpeechModel[]): string | null {
  const model = models.find(({ id }) => id === recording.request.model);
  return model === undefined ? null : speechCostUsd(countCharacters(text.trim()), model.usdPerMillionCharacters);
}

export function restOf({ restFrom, sentences }: Recording): Respoken | null {
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

/** Returns whether joining converts a recording to WAV. Raw samples keep their format. */
export function joinsAsWav({ contentType }: Recording): boolean {
  return contentType !== 'audio/pcm' && contentType !== 'audio/wav';
}

/**
 * Respeaks sentences of a recording and joins the new sound with the other sentences. Keeps the earlier sound for undo.
 * The result is WAV, or PCM for PCM, because lossy audio cannot be cut at a sentence. Never rejects: stores the error
 * in the recording.
 */
export async function respeak(
  id: string,
  respoken: Respoken,
  models: readonly SpeechModel[],
  credential: CallCredential | null,
): Promise<void> {
  const recording = findRecording(id);
  const costUsd = recording === undefined ? null : respokenCostUsd(recording, respoken.text, models);
  if (recording?.audio == null || costUsd === null) return;
  changeRecording(id, { redo: { ...respoken, status: 'asking', error: null } });
  await whileRunning(id, async (signal) => {
    try {
      const part = await partOf(recording, respoken.text, models, credential, signal);
      changeRecording(id, { costUsd: sumUsd(recording.costUsd, costUsd) });
      await join(id, respoken, part);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const isStopped = error instanceof UnreachableError && error.aborted;
      changeRecording(id, { redo: isStopped ? null : { ...respoken, status: 'failed', error } });
    }
  });
}

/** Restores the sound from before the last change. The change is not refunded. */
export async function undoRespeak(id: string): Promise<void> {
  const recording = findRecording(id);
  const last = recording?.earlier.at(-1);
  if (recording === undefined || last === undefined) return;
  const left = recording.playUrl;
  const earlier = recording.earlier.slice(0, -1);
  changeRecording(id, {
    ...last,
    earlier,
    characters: countCharacters(last.request.input),
    playsAtOnce: false,
    redo: null,
  });
  if (left !== null) URL.revokeObjectURL(left);
  const undone = findRecording(id);
  if (undone?.audio == null) return;
  // Undoing all changes deletes the joined version, unless the user opened that version from the history.
  if (earlier.length === 0 && joinedId(id) !== id) await forgetRecording(joinedId(id));
  else await rememberRecording(joinedId(id), undone, undone.audio);
}

async function partOf(
  recording: Recording,
  text: string,
  models: readonly SpeechModel[],
  credential: CallCredential | null,
  signal: AbortSignal,
): Promise<Float32Array<ArrayBuffer>> {
  const { streaming: _streaming, ...asked } = recording.request;
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
  const recording = findRecording(id);
  if (recording?.audio == null) return;
  const { samples: before } = await decodeAudio(recording.audio);
  const spoken = { samples: part, sentences: sentenceTimes(spokenSentences(text), envelopeOf(part)) };
  const { samples, sentences } = replaceSentences(
    { samples: before, sentences: recording.sentences },
    from,
    to,
    spoken,
    PAUSE_SECONDS / (recording.request.speed ?? 1),
  );
  const envelope = envelopeOf(samples);
  const contentType = recording.contentType === 'audio/pcm' ? 'audio/pcm' : 'audio/wav';
  const audio = await encodeSamples(samples, contentType);
  const input = sentences.map((sentence) => sentence.text).join('');
  const isWhole = recording.restFrom === null || to >= recording.sentences.length;
  changeRecording(id, {
    request: { ...recording.request, input },
    characters: countCharacters(input),
    status: isWhole ? 'there' : recording.status,
    restFrom: isWhole ? null : recording.restFrom,
    audio,
    bytes: audio.size,
    contentType,
    durationSeconds: envelope.peaks.length * envelope.secondsPerPeak,
    envelope,
    sentences,
    playUrl: URL.createObjectURL(await playable(samples)),
    playsAtOnce: false,
    redo: null,
    earlier: [...recording.earlier, soundOf(recording)],
  });
  const joined = findRecording(id);
  if (joined !== undefined) await rememberRecording(joinedId(id), joined, audio);
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
}: Recording): RecordingSound {
  return { request, status, playUrl, audio, bytes, contentType, durationSeconds, envelope, sentences, restFrom };
}

/**
 * Returns the history id of a joined version. The history lists a respoken recording twice: as received, and as last
 * joined.
 */
function joinedId(id: string): string {
  return id.endsWith(JOINED) ? id : id + JOINED;
}

/** Both amounts have at most nine decimal places. */
function sumUsd(one: string, other: string): string {
  return (Number(one) + Number(other)).toFixed(9);
}
