'use client';

import { type CallCredential, speak, type SpeechModel, type SpeechRequest, UnreachableError } from '@/lib/client';
import { splitSentences } from '@/lib/protocol/speech/split-sentences';
import { useSyncExternalStore } from 'react';
import { noteCharge } from '../billing/last-charge';
import { gatewayOptions } from '../gateway';
import { type AudioFeed, canFeed, createAudioFeed } from './audio-feed';
import { decodeAudio, withWavHeader } from './decoded-audio';
import { audioOf, type PastTake, rememberTake } from './past-takes';
import { type Envelope, guessedTimes, sentenceTimes, type TimedSentence } from './sentence-times';
import { countCharacters, speechCostUsd } from './speech-draft';

/** One text in one voice: asked for, arriving, there, or failed. */
export interface Take {
  id: string;
  request: SpeechRequest;
  status: 'asking' | 'arriving' | 'there' | 'stopped' | 'failed';
  characters: number;
  costUsd: string;
  /** What an audio element plays; null until there is something. */
  playUrl: string | null;
  /** Whether playing starts by itself: of one take, the one that was just asked for. */
  playsAtOnce: boolean;
  /** The bytes as received, once all are there. */
  audio: Blob | null;
  bytes: number;
  contentType: string | null;
  engine: string | null;
  requestId: string | null;
  /** From sending to the first bytes of audio, milliseconds. */
  firstAudioMs: number | null;
  durationSeconds: number | null;
  envelope: Envelope | null;
  sentences: readonly TimedSentence[];
  error: Error | null;
}

let takes: readonly Take[] = [];
const running = new Map<string, AbortController>();
const listeners = new Set<() => void>();
const NONE: readonly Take[] = [];

/** What is on the stage: one take, or two that are compared. */
export function useTakes(): readonly Take[] {
  return useSyncExternalStore(subscribe, () => takes, () => NONE);
}

/** Speaks one request, or two of them at once to compare, in place of what was there. */
export async function speakTakes(requests: readonly SpeechRequest[], model: SpeechModel, credential: CallCredential | null): Promise<void> {
  clearStage();
  const fresh = requests.map((request, index): Take => emptyTake(request, speechCostUsd(countCharacters(request.input), model.usdPerMillionCharacters), index === 0));
  put(fresh);
  await Promise.all(fresh.map((take) => fill(take, credential)));
}

/** Speaks one take again as it was asked for, in its place; another that it is compared with stays. */
export async function speakAgain(take: Take, credential: CallCredential | null): Promise<void> {
  const fresh = emptyTake(take.request, take.costUsd, true);
  if (take.playUrl !== null) URL.revokeObjectURL(take.playUrl);
  put(takes.map((each) => (each.id === take.id ? fresh : each)));
  await fill(fresh, credential);
}

/** Brings a take of before back to the stage. Rejects where its audio is gone. */
export async function openPastTake(past: PastTake): Promise<void> {
  const audio = await audioOf(past);
  if (audio === null) throw new Error('This browser no longer has the audio.');
  clearStage();
  const { request, costUsd, bytes, contentType, engine } = past;
  put([{ ...emptyTake(request, costUsd, false), id: past.id, status: 'there', bytes, contentType, engine }]);
  await settle(past.id, audio);
}

/** Stops the takes that are on their way; what came of them can be heard and downloaded. */
export function stopTakes(): void {
  for (const controller of running.values()) controller.abort();
}

function emptyTake(request: SpeechRequest, costUsd: string, playsAtOnce: boolean): Take {
  const sentences = guessedTimes(splitSentences(request.input), request.speed ?? 1);
  const unknown = { playUrl: null, audio: null, contentType: null, engine: null, requestId: null, firstAudioMs: null, durationSeconds: null, envelope: null, error: null };
  return { id: crypto.randomUUID(), request, status: 'asking', characters: countCharacters(request.input), costUsd, playsAtOnce, bytes: 0, sentences, ...unknown };
}

async function fill(take: Take, credential: CallCredential | null): Promise<void> {
  const controller = new AbortController();
  running.set(take.id, controller);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let feed: AudioFeed | null = null;
  let contentType = '';
  const startedMs = performance.now();
  try {
    const answer = await speak(gatewayOptions(credential), take.request, { signal: controller.signal });
    contentType = answer.contentType;
    feed = canFeed(contentType) ? createAudioFeed(contentType) : null;
    change(take.id, { status: 'arriving', contentType, engine: answer.engine, requestId: answer.requestId, playUrl: feed?.url ?? null });
    for await (const chunk of answer.chunks) {
      if (parts.length === 0) change(take.id, { firstAudioMs: performance.now() - startedMs });
      parts.push(chunk);
      feed?.append(chunk);
      change(take.id, { bytes: bytesOf(parts) });
    }
    noteCharge(answer.balanceRemainingUsd);
    feed?.end();
    const audio = new Blob(parts, { type: contentType });
    const durationSeconds = await settle(take.id, audio);
    await rememberTake({ id: take.id, atMs: Date.now(), request: take.request, characters: take.characters, costUsd: take.costUsd, bytes: audio.size, contentType, durationSeconds, engine: answer.engine }, audio);
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const isStopped = error instanceof UnreachableError && error.aborted;
    feed?.end();
    if (parts.length > 0) noteCharge(null);
    const status = isStopped ? 'stopped' : 'failed';
    change(take.id, { status, ...(isStopped ? {} : { error }) });
    // What came can be heard and kept: it is paid for.
    if (parts.length > 0) await settle(take.id, new Blob(parts, { type: contentType }), status);
  } finally {
    running.delete(take.id);
  }
}

/** Makes the audio of a take playable as a whole, and finds its length and its sentences. */
async function settle(id: string, audio: Blob, status: 'there' | 'stopped' | 'failed' = 'there'): Promise<number | null> {
  const playable = audio.type === 'audio/pcm' ? await withWavHeader(audio) : audio;
  const playUrl = find(id)?.playUrl ?? URL.createObjectURL(playable);
  const decoded = await decodeAudio(playable).catch(() => null);
  const take = find(id);
  const texts = take?.sentences.map(({ text }) => text) ?? [];
  change(id, {
    status,
    audio,
    playUrl,
    ...(decoded === null ? {} : { durationSeconds: decoded.durationSeconds, envelope: decoded.envelope, ...(status === 'there' ? { sentences: sentenceTimes(texts, decoded.envelope) } : {}) }),
  });
  return decoded?.durationSeconds ?? null;
}

function clearStage(): void {
  stopTakes();
  for (const { playUrl } of takes) if (playUrl !== null) URL.revokeObjectURL(playUrl);
  put([]);
}

function find(id: string): Take | undefined {
  return takes.find((take) => take.id === id);
}

function change(id: string, what: Partial<Take>): void {
  put(takes.map((take) => (take.id === id ? { ...take, ...what } : take)));
}

function put(next: readonly Take[]): void {
  takes = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
