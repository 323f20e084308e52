'use client';

import { AUDIO_FORMATS } from '@/lib/protocol/speech/audio-format';
import type { SpeechRequest } from '@/lib/client';
import { createKeptMedia } from '../media/kept-media';
import { createStoredValue, useStoredValue } from '../stored-value';

/** What was spoken on the Speech page, in this browser. The audio is kept beside it, by the id. */
export interface PastTake {
  id: string;
  atMs: number;
  request: SpeechRequest;
  characters: number;
  costUsd: string;
  bytes: number;
  contentType: string;
  durationSeconds: number | null;
  engine: string | null;
}

const TAKES_MAX = 20;

const takesStore = createStoredValue<readonly PastTake[]>({ key: 'turnpike.speech-history', initial: [], parse: parsePastTakes });
const keptAudio = createKeptMedia('turnpike.speech');

/** Newest first. */
export function usePastTakes(): readonly PastTake[] {
  return useStoredValue(takesStore);
}

/** Puts a take on top, once its audio is kept, and lets the oldest go: a page that is left in between lists nothing that it has not. */
export async function rememberTake(take: PastTake, audio: Blob): Promise<void> {
  await keptAudio.put(take.id, audio);
  const all = [take, ...takesStore.get()];
  takesStore.set(all.slice(0, TAKES_MAX));
  await keptAudio.forget(all.slice(TAKES_MAX).map(({ id }) => id));
}

/** null where this browser no longer has it. */
export async function audioOf(take: PastTake): Promise<Blob | null> {
  const found = await keptAudio.get(take.id);
  return found === null ? null : new Blob([found], { type: take.contentType });
}

/** Erases texts and audio from this browser. */
export async function forgetTakes(): Promise<void> {
  takesStore.set([]);
  await keptAudio.forgetAll();
}

/** Keeps the entries that are whole; an older or a foreign shape must not break the page. */
export function parsePastTakes(stored: unknown): readonly PastTake[] | null {
  return Array.isArray(stored) ? stored.filter(isPastTake).slice(0, TAKES_MAX) : null;
}

function isPastTake(value: unknown): value is PastTake {
  if (typeof value !== 'object' || value === null) return false;
  const take = value as Record<keyof PastTake, unknown>;
  const request = take.request as Record<keyof SpeechRequest, unknown> | null;
  const texts = [take.id, take.costUsd, take.contentType, request?.input, request?.model, request?.voice];
  return (
    texts.every((text) => typeof text === 'string') &&
    [take.atMs, take.characters, take.bytes].every((number) => typeof number === 'number') &&
    [take.durationSeconds].every((number) => number === null || typeof number === 'number') &&
    [take.engine].every((text) => text === null || typeof text === 'string') &&
    AUDIO_FORMATS.some((format) => format === request?.response_format)
  );
}
