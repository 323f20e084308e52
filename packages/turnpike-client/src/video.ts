import { completeVideo, type QueuedVideo, queueVideo, retrieveVideo } from '@/lib/client/video';
import { listVideoModels, type VideoModel, type VideoRequest } from '@/lib/client/media-models';
import { pause } from './shared-work';
import type { Turnpike } from './turnpike';
import { TurnpikeError, withTypedErrors } from './turnpike-error';
import { tell } from './turnpike-event';

export type { QueuedVideo, VideoModel, VideoRequest };

const POLL_MS = 2_000;
/** Minimum milliseconds between polls, which count toward the caller's rate limit. */
const POLL_MS_MIN = 100;
const TIMEOUT_MS = 1_800_000;

export interface VideoOptions {
  signal?: AbortSignal;
  /** Called once the video is queued, and with each poll. */
  onProgress?: (progress: { video: QueuedVideo; elapsedMs: number; averageMs: number | null }) => void;
  /** Milliseconds between polls. Default: two seconds. */
  pollMs?: number;
  /** Milliseconds for the whole job. Default: half an hour. */
  timeoutMs?: number;
  /** If true, leaves the video on the server after the download. */
  keep?: boolean;
}

export interface MadeVideo {
  video: QueuedVideo;
  /** `video/mp4`. */
  media: Blob;
}

/**
 * Generates and downloads a video. Queues it under an Idempotency-Key, so that the customer pays once, and deletes it
 * from the server after download.
 * @throws {TurnpikeError} VIDEO_TIMEOUT, with the queued video in `detail`; the gateway's refusals. An aborted wait
 * does not stop generation; `takeVideo` resumes the wait
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

/** Waits for a queued video and downloads it. @throws {TurnpikeError} in the same cases as makeVideo */
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
        // A failure is ignored, because the server deletes the video within a day.
        if (!keep) await completeVideo(turnpike.connection, video, call).catch(() => undefined);
        return { video, media: state.media };
      }
      tell(onProgress, { video, elapsedMs: state.elapsedMs, averageMs: state.averageMs });
      if (Date.now() + pollMs > endMs) throw new TurnpikeError('VIDEO_TIMEOUT', { detail: { ...video } });
      await pause(pollMs, signal);
    }
  });
}

/** Fetches the video models. @throws {TurnpikeError} */
export function videoModels(turnpike: Turnpike, options?: { signal?: AbortSignal }): Promise<readonly VideoModel[]> {
  return withTypedErrors(() => listVideoModels(turnpike.connection, options));
}

function readWaits({ pollMs = POLL_MS, timeoutMs = TIMEOUT_MS }: VideoOptions): { pollMs: number; timeoutMs: number } {
  if (!(pollMs >= POLL_MS_MIN))
    throw new TurnpikeError('OPTION_INVALID', {
      message: `pollMs is ${String(pollMs)}; it must be at least ${POLL_MS_MIN} milliseconds.`,
    });
  if (!(timeoutMs > 0))
    throw new TurnpikeError('OPTION_INVALID', {
      message: `timeoutMs is ${String(timeoutMs)}; it must be more than 0.`,
    });
  return { pollMs, timeoutMs };
}
