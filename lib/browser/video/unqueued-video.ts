'use client';

import type { CallCredential, VideoRequest } from '@/lib/client';
import { loadCode } from '../load-code';
import { newId } from '../new-id';
import { createStoredValue, useStoredValue } from '../stored-value';
import type { UnqueuedVideo } from './queue-job';

const unqueuedStore = createStoredValue<UnqueuedVideo | null>({
  key: 'turnpike.video-unqueued',
  initial: null,
  parse: parseUnqueuedVideo,
  sessionOnly: () => true,
});

/** What is on its way, by its key, in this life of the page. */
let asking: string | null = null;
/** Why this page could not even ask: its own code did not come. Told while the page is open. */
let fault: { idempotencyKey: string; error: Error } | null = null;

/** The video that waits to be taken on: it is asked for, was refused, or its answer was missed; null where none waits. */
export function useUnqueuedVideo(): { video: UnqueuedVideo; isAsking: boolean } | null {
  const video = useStoredValue(unqueuedStore);
  return video === null ? null : { video, isAsking: asking === video.idempotencyKey };
}

/** Why this page could not ask for a video; null where it could. */
export function faultOf({ idempotencyKey }: UnqueuedVideo): Error | null {
  return fault?.idempotencyKey === idempotencyKey ? fault.error : null;
}

/**
 * Asks for a video, in place of one that waited; what becomes of it, `useUnqueuedVideo` and the list of videos tell.
 * The same that waits already goes under its key: its first asking may have arrived, and nobody wants to pay twice.
 */
export function askForVideo(request: VideoRequest, costUsd: string, credential: CallCredential | null): Promise<void> {
  const waiting = unqueuedStore.get();
  const isSame = waiting !== null && JSON.stringify(waiting.request) === JSON.stringify(request);
  return ask({ idempotencyKey: isSame ? waiting.idempotencyKey : newId(), request, costUsd, error: null }, credential);
}

/** Asks for the video that waits once more, as it was asked for. */
export async function askAgain(credential: CallCredential | null): Promise<void> {
  const video = unqueuedStore.get();
  if (video !== null && asking === null) await ask({ ...video, error: null }, credential);
}

/** The video that waits is not wanted any more. */
export function dropUnqueuedVideo(): void {
  unqueuedStore.set(null);
}

/** Loads what asking takes, for the moment in which somebody is about to. */
export function preloadAsking(): void {
  loadParts().catch(() => undefined);
}

/** Takes what is whole; an older or a foreign shape must not break the page. */
export function parseUnqueuedVideo(stored: unknown): UnqueuedVideo | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { idempotencyKey, request, costUsd, error } = stored as Record<keyof UnqueuedVideo, unknown>;
  if (typeof idempotencyKey !== 'string' || typeof costUsd !== 'string' || !isRequest(request)) return null;
  return { idempotencyKey, request, costUsd, error: error ?? null };
}

async function ask(video: UnqueuedVideo, credential: CallCredential | null): Promise<void> {
  asking = video.idempotencyKey;
  fault = null;
  // Before it is sent: an answer that this page does not live to see is asked for again under the same key.
  unqueuedStore.set(video);
  try {
    const { queueJob } = await loadCode(loadParts);
    const error = await queueJob(video, credential);
    settle(video, error === null ? null : { ...video, error });
  } catch (thrown) {
    fault = {
      idempotencyKey: video.idempotencyKey,
      error: thrown instanceof Error ? thrown : new Error(String(thrown)),
    };
    settle(video, { ...video });
  }
}

/** Unless another was asked for meanwhile. */
function settle({ idempotencyKey }: UnqueuedVideo, next: UnqueuedVideo | null): void {
  if (asking === idempotencyKey) asking = null;
  if (unqueuedStore.get()?.idempotencyKey === idempotencyKey) unqueuedStore.set(next);
}

/** Its code is no part of the page: it comes with the first act. */
function loadParts() {
  return import('./queue-job');
}

function isRequest(value: unknown): value is VideoRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { model, prompt, duration, aspect_ratio: ratio } = value as Record<keyof VideoRequest, unknown>;
  return [model, prompt, duration, ratio].every((text) => typeof text === 'string');
}
