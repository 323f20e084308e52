import { completeVideo, type QueuedVideo, queueVideo, retrieveVideo } from '@/lib/client/video';
import { listVideoModels, type VideoModel, type VideoRequest } from '@/lib/client/video-models';
import { pause } from './shared-work';
import type { Turnpike } from './turnpike';
import { TurnpikeError, withTypedErrors } from './turnpike-error';
import { tell } from './turnpike-event';

export type { QueuedVideo, VideoModel, VideoRequest };

const POLL_MS = 2_000;
/** Retrieving counts toward the caller's requests of a minute. */
const POLL_MS_MIN = 100;
const TIMEOUT_MS = 1_800_000;

export interface VideoOptions {
  signal?: AbortSignal;
  /** Hears that the video is queued, and how long it has been made; each time that it is asked for. Milliseconds. */
  onProgress?: (progress: { video: QueuedVideo; elapsedMs: number; averageMs: number | null }) => void;
  /** Between two questions, milliseconds; two seconds unless given. */
  pollMs?: number;
  /** For all of it, milliseconds; half an hour unless given. */
  timeoutMs?: number;
  /** Whether it stays on the server once it was taken; it is deleted unless this says so. */
  keep?: boolean;
}

/** A video that was made. */
export interface MadeVideo {
  video: QueuedVideo;
  /** `video/mp4`. */
  media: Blob;
}

/**
 * Has a video made, and takes it. It is queued under an Idempotency-Key, so that it is paid for once, and deleted from
 * the server when it is here.
 * @throws {TurnpikeError} VIDEO_TIMEOUT, with the queued video in `detail`; whatever the gateway refuses it for. An
 *   aborted wait leaves it being made: `takeVideo` goes on
 */
export async function makeVideo(
  turnpike: Turnpike,
  request: VideoRequest,
  options: VideoOptions = {},
): Promise<MadeVideo> {
  readWaits(options);
  const video = await withTypedErrors(() =>
    queueVideo(turnpike.connection, request, options.signal ? { signal: options.signal } : {}),
  );
  tell(options.onProgress, { video, elapsedMs: 0, averageMs: null });
  return takeVideo(turnpike, video, options);
}

/** Waits for a video that was queued before, and takes it. @throws {TurnpikeError} as makeVideo does */
export async function takeVideo(
  turnpike: Turnpike,
  video: QueuedVideo,
  options: VideoOptions = {},
): Promise<MadeVideo> {
  const { pollMs, timeoutMs } = readWaits(options);
  const { signal, onProgress, keep = false } = options;
  const call = signal ? { signal } : {};
  return withTypedErrors(async () => {
    const endMs = Date.now() + timeoutMs;
    for (;;) {
      const state = await retrieveVideo(turnpike.connection, video, call);
      if (state.status === 'ready') {
        // It is here: a deletion that fails takes nothing away, and the server deletes it within a day.
        if (!keep) await completeVideo(turnpike.connection, video, call).catch(() => undefined);
        return { video, media: state.media };
      }
      tell(onProgress, { video, elapsedMs: state.elapsedMs, averageMs: state.averageMs });
      if (Date.now() + pollMs > endMs) throw new TurnpikeError('VIDEO_TIMEOUT', { detail: { ...video } });
      await pause(pollMs, signal);
    }
  });
}

/** The models that make videos, with their lengths and prices. @throws {TurnpikeError} */
export function videoModels(turnpike: Turnpike, options?: { signal?: AbortSignal }): Promise<readonly VideoModel[]> {
  return withTypedErrors(() => listVideoModels(turnpike.connection, options));
}

function readWaits({ pollMs = POLL_MS, timeoutMs = TIMEOUT_MS }: VideoOptions): { pollMs: number; timeoutMs: number } {
  if (!(pollMs >= POLL_MS_MIN))
    throw new TurnpikeError('OPTION_INVALID', {
      message: `pollMs is ${String(pollMs)}; it is ${POLL_MS_MIN} milliseconds or more.`,
    });
  if (!(timeoutMs > 0))
    throw new TurnpikeError('OPTION_INVALID', { message: `timeoutMs is ${String(timeoutMs)}; it is more than 0.` });
  return { pollMs, timeoutMs };
}
