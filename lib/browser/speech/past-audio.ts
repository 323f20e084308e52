'use client';

import { useSyncExternalStore } from 'react';
import { createKeptMedia } from '../media/kept-media';
import { PAST_BARS, type PastTake, pastTakesStore, TAKES_MAX } from './past-takes';
import { playableOf } from './decoded-audio';
import type { Take } from './takes';
import { barsOf } from './waveform-bars';

/** What was erased last, in memory alone, so that it can be brought back for as long as the page is open. */
export interface ErasedTakes {
  takes: readonly PastTake[];
  audio: ReadonlyMap<string, Blob>;
}

const keptAudio = createKeptMedia('turnpike.speech');
let erased: ErasedTakes | null = null;
const listeners = new Set<() => void>();

/** Puts a take on top, once its audio is kept, and lets the oldest go: a page that is left in between lists nothing that it has not. */
export async function rememberTake(id: string, take: Take, audio: Blob): Promise<void> {
  await keptAudio.put(id, audio);
  const { request, characters, costUsd, bytes, contentType, durationSeconds, engine, envelope, restFrom } = take;
  const bars = envelope === null ? [] : barsOf(envelope, PAST_BARS).map((height) => Math.round(height * 100));
  const entry: PastTake = {
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
  const all = [entry, ...pastTakesStore.get().filter((other) => other.id !== id)];
  pastTakesStore.set(all.slice(0, TAKES_MAX));
  await keptAudio.forget(all.slice(TAKES_MAX).map((old) => old.id));
}

/** The audio as it was received; null where this browser no longer has it. */
export async function audioOf(take: PastTake): Promise<Blob | null> {
  const found = await keptAudio.get(take.id);
  return found === null ? null : new Blob([found], { type: take.contentType });
}

/** The same, as an audio element plays it. */
export async function playableAudioOf(take: PastTake): Promise<Blob | null> {
  const audio = await audioOf(take);
  return audio === null ? null : playableOf(audio);
}

/** Erases takes, texts and audio, from this browser. */
export async function eraseTakes(takes: readonly PastTake[]): Promise<void> {
  const audio = new Map<string, Blob>();
  for (const take of takes) {
    const found = await audioOf(take);
    if (found !== null) audio.set(take.id, found);
  }
  const ids = takes.map(({ id }) => id);
  pastTakesStore.set(pastTakesStore.get().filter(({ id }) => !ids.includes(id)));
  await keptAudio.forget(ids);
  noteErased({ takes, audio });
}

/** Brings back what was erased last. */
export async function restoreErasedTakes(): Promise<void> {
  if (erased === null) return;
  const { takes, audio } = erased;
  noteErased(null);
  for (const [id, sound] of audio) await keptAudio.put(id, sound);
  const others = pastTakesStore.get().filter(({ id }) => !takes.some((take) => take.id === id));
  pastTakesStore.set([...others, ...takes].sort((one, other) => other.atMs - one.atMs).slice(0, TAKES_MAX));
}

/** Takes a version of a take out of the history, where it was undone. */
export async function forgetTake(id: string): Promise<void> {
  pastTakesStore.set(pastTakesStore.get().filter((take) => take.id !== id));
  await keptAudio.forget([id]);
}

/** What was erased last and can be brought back; null where nothing was. */
export function useErasedTakes(): ErasedTakes | null {
  return useSyncExternalStore(
    subscribe,
    () => erased,
    () => null,
  );
}

function noteErased(next: ErasedTakes | null): void {
  erased = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
