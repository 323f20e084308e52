'use client';

import type { SpeechRequest } from '@/lib/client';
import { isKeptError, keepError, type KeptError, reviveError } from '../recovery/kept-error';
import { createStoredValue } from '../stored-value';
import { isStoredSpeechRequest } from './past-takes';
import { askedTake, REFUSED_TAKES_KEY, type Take } from './takes';

/** A take of which nothing came, as it outlives a reload of its tab: a payment may take one. */
export interface RefusedTake {
  request: SpeechRequest;
  costUsd: string;
  error: KeptError;
}

/** As many as stand on the stage. */
const REFUSED_MAX = 2;

const refusedStore = createStoredValue<readonly RefusedTake[]>({
  key: REFUSED_TAKES_KEY,
  initial: [],
  parse: parseRefusedTakes,
  sessionOnly: () => true,
});

/** Keeps those of the stage of which nothing came; what was kept before goes. */
export function keepRefusedTakes(takes: readonly Take[]): void {
  const refused = takes.flatMap(({ request, costUsd, status, bytes, error }): RefusedTake[] => {
    const kept = status === 'failed' && bytes === 0 && error !== null ? keepError(error) : null;
    return kept === null ? [] : [{ request, costUsd, error: kept }];
  });
  if (refused.length > 0 || refusedStore.get().length > 0) refusedStore.set(refused);
}

/** What was kept, as takes for the stage. */
export function refusedTakes(): readonly Take[] {
  return refusedStore
    .get()
    .map(({ request, costUsd, error }) => ({
      ...askedTake(request, costUsd, false),
      status: 'failed' as const,
      error: reviveError(error),
    }));
}

/** Takes what is whole; an older or a foreign shape must not break the page. */
export function parseRefusedTakes(stored: unknown): readonly RefusedTake[] | null {
  return Array.isArray(stored) ? stored.filter(isRefusedTake).slice(0, REFUSED_MAX) : null;
}

function isRefusedTake(value: unknown): value is RefusedTake {
  if (typeof value !== 'object' || value === null) return false;
  const { request, costUsd, error } = value as Record<keyof RefusedTake, unknown>;
  return isStoredSpeechRequest(request) && typeof costUsd === 'string' && isKeptError(error);
}
