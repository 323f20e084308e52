'use client';

import { AUDIO_FORMATS } from '@/lib/protocol/speech/audio-format';
import type { SpeechRequest } from '@/lib/client';
import { createStoredValue, useStoredValue } from '../stored-value';

/** What was spoken on the Speech page, in this browser. The audio is kept beside it, by the id (`past-audio.ts`). */
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
  /** How loud it is over its time: PAST_BARS heights from 0 to 100; empty where that is not known. */
  bars: readonly number[];
  /** Of what broke off or was stopped, the first sentence that did not come whole; null where all did. */
  restFrom: number | null;
}

/** More than these are let go, the oldest first. */
export const TAKES_MAX = 20;
/** Bars of the small waveform of a take. */
export const PAST_BARS = 60;

/** Written by `past-audio.ts` alone, which keeps the audio in step with it. */
export const pastTakesStore = createStoredValue<readonly PastTake[]>({
  key: 'turnpike.speech-history',
  initial: [],
  parse: parsePastTakes,
});

/** Newest first. */
export function usePastTakes(): readonly PastTake[] {
  return useStoredValue(pastTakesStore);
}

/** Keeps the entries that are whole; an older or a foreign shape must not break the page. */
export function parsePastTakes(stored: unknown): readonly PastTake[] | null {
  return Array.isArray(stored) ? stored.filter(isPastTake).slice(0, TAKES_MAX).map(withDefaults) : null;
}

/** Entries of earlier versions lack what came later. */
type StoredTake = Omit<PastTake, 'bars' | 'restFrom'> & Partial<PastTake>;

function withDefaults(take: StoredTake): PastTake {
  const { bars, restFrom } = take as Partial<Record<keyof PastTake, unknown>>;
  const isBars =
    Array.isArray(bars) &&
    bars.length === PAST_BARS &&
    bars.every((bar) => typeof bar === 'number' && bar >= 0 && bar <= 100);
  return { ...take, bars: isBars ? (bars as number[]) : [], restFrom: typeof restFrom === 'number' ? restFrom : null };
}

function isPastTake(value: unknown): value is StoredTake {
  if (typeof value !== 'object' || value === null) return false;
  const take = value as Record<keyof PastTake, unknown>;
  const texts = [take.id, take.costUsd, take.contentType];
  return (
    texts.every((text) => typeof text === 'string') &&
    [take.atMs, take.characters, take.bytes].every((number) => typeof number === 'number') &&
    (take.durationSeconds === null || typeof take.durationSeconds === 'number') &&
    (take.engine === null || typeof take.engine === 'string') &&
    isStoredSpeechRequest(take.request)
  );
}

/** Whether a stored value can be sent as a request to speak. */
export function isStoredSpeechRequest(value: unknown): value is SpeechRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { input, model, voice, response_format: format } = value as Record<keyof SpeechRequest, unknown>;
  return (
    [input, model, voice].every((text) => typeof text === 'string') && AUDIO_FORMATS.some((known) => known === format)
  );
}
