'use client';

import { type CallCredential, speak, UnreachableError } from '@/lib/client';
import { noteCharge } from '../billing/last-charge';
import { gatewayOptions } from '../gateway';
import { type AudioFeed, canFeed, createAudioFeed } from './audio-feed';
import { decodeAudio, playableOf } from './decoded-audio';
import { audioOf, rememberTake } from './past-audio';
import type { PastTake } from './past-takes';
import { keepRefusedTakes } from './refused-takes';
import { guessedTimes, sentenceTimes } from './sentence-times';
import { countCharacters } from './speech-draft';
import { spokenSentences } from './spoken-sentences';
import { askedTake, changeTake, clearStage, findTake, putTakes, type Take, takesNow } from './takes';
import { wholeSentences } from './whole-sentences';

/** Speaks a take of the stage until `signal` stops it. Never rejects: what goes wrong is in the take, with what came until then. */
export async function speakTake(take: Take, credential: CallCredential | null, signal: AbortSignal): Promise<void> {
  const { id, request } = take;
  const sentences = guessedTimes(spokenSentences(request.input), request.speed ?? 1);
  changeTake(id, { sentences });
  const received: Received = { parts: [], contentType: '', feed: null };
  const left = (): Take => ({ ...take, sentences, bytes: bytesOf(received), contentType: received.contentType });
  try {
    await receive(id, received, credential, signal);
    await settle(id, audioFrom(received), 'there', { left: left() });
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const isStopped = error instanceof UnreachableError && error.aborted;
    received.feed?.end();
    const status = isStopped ? 'stopped' : 'failed';
    changeTake(id, { status, ...(isStopped ? {} : { error }) });
    if (received.parts.length > 0) {
      // What came can be heard and kept: it is paid for.
      noteCharge(null);
      await settle(id, audioFrom(received), status, { left: left() });
    }
  }
  keepRefusedTakes(takesNow());
}

/** Brings a take of before back to the stage. @returns false where its audio is gone */
export async function openPastTake(past: PastTake): Promise<boolean> {
  const audio = await audioOf(past);
  if (audio === null) return false;
  clearStage();
  const { id, request, costUsd, bytes, contentType, engine, restFrom } = past;
  const sentences = guessedTimes(spokenSentences(request.input), request.speed ?? 1);
  putTakes([{ ...askedTake(request, costUsd, false), id, status: 'arriving', bytes, contentType, engine, sentences }]);
  await settle(id, audio, restFrom === null ? 'there' : 'stopped', { isKept: true });
  keepRefusedTakes(takesNow());
  return true;
}

const madePlayable = new WeakSet<Blob>();

/**
 * Gives a take an address that plays, where the one that it has does so no more: what was played while it arrived can be
 * attached to one audio element alone, and the page may have been left and opened again. Audio that is no audio stays as
 * it is.
 * @param deadUrl what did not play
 */
export async function makePlayable(id: string, deadUrl: string): Promise<void> {
  const take = findTake(id);
  if (take?.playUrl !== deadUrl || (take.audio !== null && madePlayable.has(take.audio))) return;
  // Nobody asked for it to be heard now.
  changeTake(id, { playUrl: null, playsAtOnce: false });
  // Of one that still arrives, its end brings an address.
  if (take.audio === null) return;
  madePlayable.add(take.audio);
  const playUrl = URL.createObjectURL(await playableOf(take.audio));
  if (findTake(id)?.playUrl === null) changeTake(id, { playUrl });
  else URL.revokeObjectURL(playUrl);
}

interface Received {
  parts: Uint8Array<ArrayBuffer>[];
  contentType: string;
  feed: AudioFeed | null;
}

async function receive(
  id: string,
  received: Received,
  credential: CallCredential | null,
  signal: AbortSignal,
): Promise<void> {
  const request = findTake(id)?.request;
  if (request === undefined) return;
  const startedMs = performance.now();
  const answer = await speak(gatewayOptions(credential), request, { signal });
  received.contentType = answer.contentType;
  received.feed = canFeed(answer.contentType) ? createAudioFeed(answer.contentType) : null;
  changeTake(id, {
    status: 'arriving',
    contentType: answer.contentType,
    engine: answer.engine,
    requestId: answer.requestId,
    playUrl: received.feed?.url ?? null,
  });
  let bytes = 0;
  for await (const chunk of answer.chunks) {
    if (bytes === 0) changeTake(id, { firstAudioMs: performance.now() - startedMs });
    received.parts.push(chunk);
    received.feed?.append(chunk);
    changeTake(id, { bytes: (bytes += chunk.length) });
  }
  noteCharge(answer.balanceRemainingUsd);
  received.feed?.end();
}

function bytesOf({ parts }: Received): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function audioFrom({ parts, contentType }: Received): Blob {
  return new Blob(parts, { type: contentType });
}

interface SettleOptions {
  /** What stood on the stage, for a take that has left it since. */
  left?: Take;
  /** Whether the history has it already. */
  isKept?: boolean;
}

/** Makes the audio of a take playable as a whole, finds its length and its sentences, and keeps it, also where another has taken its place. */
async function settle(
  id: string,
  audio: Blob,
  status: 'there' | 'stopped' | 'failed',
  { left, isKept = false }: SettleOptions = {},
): Promise<void> {
  const playable = await playableOf(audio);
  const decoded = await decodeAudio(audio).catch(() => null);
  const shown = findTake(id);
  const take = shown ?? left;
  if (take === undefined) return;
  const playUrl = shown === undefined ? null : (shown.playUrl ?? URL.createObjectURL(playable));
  const settled: Take = {
    ...take,
    status,
    audio,
    playUrl,
    ...(decoded === null ? {} : timed(take, decoded, status)),
    ...(isKept ? { costUsd: take.costUsd } : {}),
  };
  changeTake(id, settled);
  if (!isKept) await rememberTake(id, settled, audio);
}

function timed(
  take: Take,
  { durationSeconds, envelope }: { durationSeconds: number; envelope: NonNullable<Take['envelope']> },
  status: 'there' | 'stopped' | 'failed',
): Partial<Take> {
  const texts = take.sentences.map(({ text }) => text);
  const heard = { durationSeconds, envelope };
  if (status === 'there') return { ...heard, sentences: sentenceTimes(texts, envelope) };
  const whole = wholeSentences(texts, envelope, take.request.speed ?? 1);
  const came =
    whole.count === 0
      ? []
      : sentenceTimes(texts.slice(0, whole.count), {
          ...envelope,
          peaks: envelope.peaks.subarray(0, Math.round(whole.endSeconds / envelope.secondsPerPeak)),
        });
  const rest = texts.slice(whole.count).map((text) => ({ text, startSeconds: whole.endSeconds }));
  return {
    ...heard,
    ...chargedOf(take, texts.slice(0, whole.count + 1)),
    sentences: [...came, ...rest],
    restFrom: whole.count,
  };
}

/** What broke off costs the sentences that the server was sent, which are at most one more than those that were heard; a whole file all of it. */
function chargedOf({ request, characters, costUsd }: Take, sent: readonly string[]): Partial<Take> {
  if (request.streaming !== true || characters === 0) return {};
  const share = Math.min(1, countCharacters(sent.join('')) / characters);
  return { costUsd: (Number(costUsd) * share).toFixed(9), isCostMost: true };
}
