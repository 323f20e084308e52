'use client';

import { useSyncExternalStore } from 'react';
import { createKeptMedia } from '@/lib/browser/storage/kept-media';
import { PAST_BARS, type PastRecording, pastRecordingsStore, TAKES_MAX } from './kept-recordings';
import { barsOf, playableOf } from '@/lib/browser/audio/decoded-audio';
import type { Recording } from './recordings';
import { createListeners } from '@/lib/browser/storage/stored-value';

/** Most recently erased recordings, kept in memory for undo. */
export interface ErasedRecordings {
  recordings: readonly PastRecording[];
  audio: ReadonlyMap<string, Blob>;
}

const keptAudio = createKeptMedia('turnpike.speech');
let erased: ErasedRecordings | null = null;
const listeners = createListeners();

/** Stores a recording's audio, then adds the recording to the history, which lists no recording before its audio. */
export async function rememberRecording(id: string, recording: Recording, audio: Blob): Promise<void> {
  await keptAudio.put(id, audio);
  const { request, characters, costUsd, bytes, contentType, durationSeconds, engine, envelope, restFrom } = recording;
  const bars = envelope === null ? [] : barsOf(envelope, PAST_BARS).map((height) => Math.round(height * 100));
  const entry: PastRecording = {
    id,
    atMs: Date.now(),
    request,
    characters,
    costUsd,
    bytes,
    contentType: contentType ?? audio.type,
    durationSeconds,
    engine,
    bars,
    restFrom,
  };
  const all = [entry, ...pastRecordingsStore.get().filter((other) => other.id !== id)];
  pastRecordingsStore.set(all.slice(0, TAKES_MAX));
  await keptAudio.forget(all.slice(TAKES_MAX).map((old) => old.id));
}

/** Returns a recording's audio as received; null if this browser no longer has the audio. */
export async function audioOf(recording: PastRecording): Promise<Blob | null> {
  const found = await keptAudio.get(recording.id);
  return found === null ? null : new Blob([found], { type: recording.contentType });
}

export async function playableAudioOf(recording: PastRecording): Promise<Blob | null> {
  const audio = await audioOf(recording);
  return audio === null ? null : playableOf(audio);
}

export async function eraseRecordings(recordings: readonly PastRecording[]): Promise<void> {
  const audio = new Map<string, Blob>();
  for (const recording of recordings) {
    const found = await audioOf(recording);
    if (found !== null) audio.set(recording.id, found);
  }
  const ids = recordings.map(({ id }) => id);
  pastRecordingsStore.set(pastRecordingsStore.get().filter(({ id }) => !ids.includes(id)));
  await keptAudio.forget(ids);
  noteErased({ recordings, audio });
}

export async function restoreErasedRecordings(): Promise<void> {
  if (erased === null) return;
  const { recordings, audio } = erased;
  noteErased(null);
  for (const [id, sound] of audio) await keptAudio.put(id, sound);
  const others = pastRecordingsStore.get().filter(({ id }) => !recordings.some((recording) => recording.id === id));
  pastRecordingsStore.set([...others, ...recordings].sort((one, other) => other.atMs - one.atMs).slice(0, TAKES_MAX));
}

export async function forgetRecording(id: string): Promise<void> {
  pastRecordingsStore.set(pastRecordingsStore.get().filter((recording) => recording.id !== id));
  await keptAudio.forget([id]);
}

/** Returns the erased recordings that can be restored; null for none. */
export function useErasedRecordings(): ErasedRecordings | null {
  return useSyncExternalStore(
    listeners.subscribe,
    () => erased,
    () => null,
  );
}

function noteErased(next: ErasedRecordings | null): void {
  erased = next;
  listeners.tell();
}
