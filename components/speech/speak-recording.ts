'use client';

import { type CallCredential, speak, UnreachableError } from '@/lib/client';
import { noteCharge } from '@/components/billing/last-charge';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { decodeAudio, playableOf } from '@/lib/browser/audio/decoded-audio';
import { audioOf, rememberRecording } from './past-audio';
import type { PastRecording } from './kept-recordings';
import { keepRefusedRecordings } from './refused-recordings';
import { guessedTimes, sentenceTimes, spokenSentences } from '@/lib/browser/audio/sentence-times';
import { countCharacters } from './speech-draft';
import {
  askedRecording,
  changeRecording,
  clearStage,
  findRecording,
  putRecordings,
  type Recording,
  recordingsNow,
} from './recordings';
import { wholeSentences } from './whole-sentences';

/**
 * Requests a recording's audio. Stops when `signal` aborts. Never rejects: the recording has the error and the received
 * audio.
 */
export async function speakRecording(
  recording: Recording,
  credential: CallCredential | null,
  signal: AbortSignal,
): Promise<void> {
  const { id, request } = recording;
  const sentences = guessedTimes(spokenSentences(request.input), request.speed ?? 1);
  changeRecording(id, { sentences });
  const received: Received = { parts: [], contentType: '', feed: null };
  const left = (): Recording => ({
    ...recording,
    sentences,
    bytes: bytesOf(received),
    contentType: received.contentType,
  });
  try {
    await receive(id, received, credential, signal);
    await settle(id, audioFrom(received), 'there', { left: left() });
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const isStopped = error instanceof UnreachableError && error.aborted;
    received.feed?.end();
    const status = isStopped ? 'stopped' : 'failed';
    changeRecording(id, { status, ...(isStopped ? {} : { error }) });
    if (received.parts.length > 0) {
      // Reports a charge, because the user has paid for the received audio.
      noteCharge(null);
      await settle(id, audioFrom(received), status, { left: left() });
    }
  }
  keepRefusedRecordings(recordingsNow());
}

/** Shows a past recording. @returns false if its audio is gone */
export async function openPastRecording(past: PastRecording): Promise<boolean> {
  const audio = await audioOf(past);
  if (audio === null) return false;
  clearStage();
  const { id, request, costUsd, bytes, contentType, engine, restFrom } = past;
  const sentences = guessedTimes(spokenSentences(request.input), request.speed ?? 1);
  putRecordings([
    { ...askedRecording(request, costUsd, false), id, status: 'arriving', bytes, contentType, engine, sentences },
  ]);
  await settle(id, audio, restFrom === null ? 'there' : 'stopped', { isKept: true });
  keepRefusedRecordings(recordingsNow());
  return true;
}

const madePlayable = new WeakSet<Blob>();

/**
 * Replaces a URL that no longer plays, because a streamed source works in one audio element only. Does nothing for
 * invalid audio.
 * @param deadUrl URL that did not play
 */
export async function makePlayable(id: string, deadUrl: string): Promise<void> {
  const recording = findRecording(id);
  if (recording?.playUrl !== deadUrl || (recording.audio !== null && madePlayable.has(recording.audio))) return;
  changeRecording(id, { playUrl: null, playsAtOnce: false });
  // Incomplete audio gets a URL when the last bytes arrive.
  if (recording.audio === null) return;
  madePlayable.add(recording.audio);
  const playUrl = URL.createObjectURL(await playableOf(recording.audio));
  if (findRecording(id)?.playUrl === null) changeRecording(id, { playUrl });
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
  const request = findRecording(id)?.request;
  if (request === undefined) return;
  const startedMs = performance.now();
  const answer = await speak(gatewayOptions(credential), request, { signal });
  received.contentType = answer.contentType;
  received.feed = canFeed(answer.contentType) ? createAudioFeed(answer.contentType) : null;
  changeRecording(id, {
    status: 'arriving',
    contentType: answer.contentType,
    engine: answer.engine,
    requestId: answer.requestId,
    playUrl: received.feed?.url ?? null,
  });
  let bytes = 0;
  for await (const chunk of answer.chunks) {
    if (bytes === 0) changeRecording(id, { firstAudioMs: performance.now() - startedMs });
    received.parts.push(chunk);
    received.feed?.append(chunk);
    changeRecording(id, { bytes: (bytes += chunk.length) });
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
  /** State of the recording, used if the page no longer shows it. */
  left?: Recording;
  isKept?: boolean;
}

/**
 * Makes the received audio playable, finds its length and sentences, and stores it, even if the page shows another
 * recording.
 */
async function settle(
  id: string,
  audio: Blob,
  status: 'there' | 'stopped' | 'failed',
  { left, isKept = false }: SettleOptions = {},
): Promise<void> {
  const playable = await playableOf(audio);
  const decoded = await decodeAudio(audio).catch(() => null);
  const shown = findRecording(id);
  const recording = shown ?? left;
  if (recording === undefined) return;
  const playUrl = shown === undefined ? null : (shown.playUrl ?? URL.createObjectURL(playable));
  const settled: Recording = {
    ...recording,
    status,
    audio,
    playUrl,
    ...(decoded === null ? {} : timed(recording, decoded, status)),
    ...(isKept ? { costUsd: recording.costUsd } : {}),
  };
  changeRecording(id, settled);
  if (!isKept) await rememberRecording(id, settled, audio);
}

function timed(
  recording: Recording,
  { durationSeconds, envelope }: { durationSeconds: number; envelope: NonNullable<Recording['envelope']> },
  status: 'there' | 'stopped' | 'failed',
): Partial<Recording> {
  const texts = recording.sentences.map(({ text }) => text);
  const heard = { durationSeconds, envelope };
  if (status === 'there') return { ...heard, sentences: sentenceTimes(texts, envelope) };
  const whole = wholeSentences(texts, envelope, recording.request.speed ?? 1);
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
    ...chargedOf(recording, texts.slice(0, whole.count + 1)),
    sentences: [...came, ...rest],
    restFrom: whole.count,
  };
}

/**
 * Lowers the maximum cost of an incomplete stream to the price of the sentences in `sent`. Other recordings cost the
 * full price.
 */
function chargedOf({ request, characters, costUsd }: Recording, sent: readonly string[]): Partial<Recording> {
  if (request.streaming !== true || characters === 0) return {};
  const share = Math.min(1, countCharacters(sent.join('')) / characters);
  return { costUsd: (Number(costUsd) * share).toFixed(9), isCostMost: true };
}

interface AudioFeed {
  url: string;
  append(chunk: Uint8Array<ArrayBuffer>): void;
  /** Marks the audio as complete, so that the audio element knows the length and can seek. */
  end(): void;
  close(): void;
}

/** Media Source types by content type. Other formats play only when complete. */
const FEEDABLE: Readonly<Record<string, string>> = { 'audio/mpeg': 'audio/mpeg', 'audio/aac': 'audio/aac' };

/** Returns whether this browser can play a content type while the audio arrives. */
function canFeed(contentType: string): boolean {
  const type = FEEDABLE[contentType];
  return type !== undefined && typeof MediaSource !== 'undefined' && MediaSource.isTypeSupported(type);
}

/** Creates a feed for a type that `canFeed` accepts (Media Source Extensions, W3C). */
function createAudioFeed(contentType: string): AudioFeed {
  const source = new MediaSource();
  const url = URL.createObjectURL(source);
  const waiting: Uint8Array<ArrayBuffer>[] = [];
  let buffer: SourceBuffer | null = null;
  let isEnded = false;
  const flow = () => {
    if (buffer === null || buffer.updating || source.readyState !== 'open') return;
    const next = waiting.shift();
    if (next !== undefined) buffer.appendBuffer(next);
    else if (isEnded) source.endOfStream();
  };
  source.addEventListener(
    'sourceopen',
    () => {
      buffer ??= source.addSourceBuffer(FEEDABLE[contentType] ?? contentType);
      buffer.addEventListener('updateend', flow);
      flow();
    },
    { once: true },
  );
  return {
    url,
    append(chunk) {
      waiting.push(chunk);
      flow();
    },
    end() {
      isEnded = true;
      flow();
    },
    close: () => URL.revokeObjectURL(url),
  };
}
