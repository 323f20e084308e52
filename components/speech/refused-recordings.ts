'use client';

import type { SpeechRequest } from '@/lib/client';
import { isKeptError, keepError, type KeptError, reviveError } from '@/components/paying/recovery/kept-error';
import { createStoredValue } from '@/lib/browser/storage/stored-value';
import { isStoredSpeechRequest } from './kept-recordings';
import { askedRecording, REFUSED_TAKES_KEY, type Recording } from './recordings';

/** Recording whose synthesis was refused. Stored, because the page may reload when the user pays. */
export interface RefusedRecording {
  request: SpeechRequest;
  costUsd: string;
  error: KeptError;
}

const REFUSED_MAX = 2;

const refusedStore = createStoredValue<readonly RefusedRecording[]>({
  key: REFUSED_TAKES_KEY,
  initial: [],
  parse: parseRefusedRecordings,
  sessionOnly: () => true,
});

/** Replaces the stored recordings with the shown recordings that failed without audio. */
export function keepRefusedRecordings(recordings: readonly Recording[]): void {
  const refused = recordings.flatMap(({ request, costUsd, status, bytes, error }): RefusedRecording[] => {
    const kept = status === 'failed' && bytes === 0 && error !== null ? keepError(error) : null;
    return kept === null ? [] : [{ request, costUsd, error: kept }];
  });
  if (refused.length > 0 || refusedStore.get().length > 0) refusedStore.set(refused);
}

export function refusedRecordings(): readonly Recording[] {
  return refusedStore.get().map(({ request, costUsd, error }) => ({
    ...askedRecording(request, costUsd, false),
    status: 'failed' as const,
    error: reviveError(error),
  }));
}

export function parseRefusedRecordings(stored: unknown): readonly RefusedRecording[] | null {
  return Array.isArray(stored) ? stored.filter(isRefusedRecording).slice(0, REFUSED_MAX) : null;
}

function isRefusedRecording(value: unknown): value is RefusedRecording {
  if (typeof value !== 'object' || value === null) return false;
  const { request, costUsd, error } = value as Record<keyof RefusedRecording, unknown>;
  return isStoredSpeechRequest(request) && typeof costUsd === 'string' && isKeptError(error);
}
