'use client';

import type { CallCredential, VideoRequest } from '@/lib/client';
import { loadCode } from '@/lib/browser/page/load-code';
import { newId } from '@/lib/browser/page/new-id';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';
import type { UnqueuedVideo } from './queue-job';

const unqueuedStore = createStoredValue<UnqueuedVideo | null>({
  key: 'turnpike.video-unqueued',
  initial: null,
  parse: parseUnqueuedVideo,
  sessionOnly: () => true,
});

/** Idempotency-Key of this page's pending request. */
let asking: string | null = null;
/** Error that cannot be stored, such as a failed load of code. */
let fault: { idempotencyKey: string; error: Error } | null = null;

/** Returns the requested video that the gateway has not accepted yet; null if none. */
export function useUnqueuedVideo(): { video: UnqueuedVideo; isAsking: boolean } | null {
  const video = useStoredValue(unqueuedStore);
  return video === null ? null : { video, isAsking: asking === video.idempotencyKey };
}

/** Returns why this page could not request a video; null if it could. */
export function faultOf({ idempotencyKey }: UnqueuedVideo): Error | null {
  return fault?.idempotencyKey === idempotencyKey ? fault.error : null;
}

/**
 * Requests a video and replaces the stored request. If both requests are equal, reuses the Idempotency-Key: the stored
 * request may have reached the gateway and must not be charged twice.
 */
export function askForVideo(request: VideoRequest, costUsd: string, credential: CallCredential | null): Promise<void> {
  const waiting = unqueuedStore.get();
  const isSame = waiting !== null && JSON.stringify(waiting.request) === JSON.stringify(request);
  return ask({ idempotencyKey: isSame ? waiting.idempotencyKey : newId(), request, costUsd, error: null }, credential);
}

export async function askAgain(credential: CallCredential | null): Promise<void> {
  const video = unqueuedStore.get();
  if (video !== null && asking === null) await ask({ ...video, error: null }, credential);
}

export function dropUnqueuedVideo(): void {
  unqueuedStore.set(null);
}

export function preloadAsking(): void {
  loadParts().catch(() => undefined);
}

export function parseUnqueuedVideo(stored: unknown): UnqueuedVideo | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { idempotencyKey, request, costUsd, error } = stored as Record<keyof UnqueuedVideo, unknown>;
  if (typeof idempotencyKey !== 'string' || typeof costUsd !== 'string' || !isRequest(request)) return null;
  return { idempotencyKey, request, costUsd, error: error ?? null };
}

async function ask(video: UnqueuedVideo, credential: CallCredential | null): Promise<void> {
  asking = video.idempotencyKey;
  fault = null;
  // If the page closes before the answer, the user can resend the request with the same Idempotency-Key.
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

/** Stores the outcome, unless another video was requested meanwhile. */
function settle({ idempotencyKey }: UnqueuedVideo, next: UnqueuedVideo | null): void {
  if (asking === idempotencyKey) asking = null;
  if (unqueuedStore.get()?.idempotencyKey === idempotencyKey) unqueuedStore.set(next);
}

function loadParts() {
  return import('./queue-job');
}

function isRequest(value: unknown): value is VideoRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { model, prompt, duration, aspect_ratio: ratio } = value as Record<keyof VideoRequest, unknown>;
  return [model, prompt, duration, ratio].every((text) => typeof text === 'string');
}
