'use client';

import type { GoneProof, QueuedVideo, VideoRequest } from '@/lib/client';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';

/**
 * Video queued in this browser. The server deletes the video after 24 hours; this browser deletes its copy on request.
 */
export interface VideoJob {
  queueId: string;
  request: VideoRequest;
  queuedAtMs: number;
  /** Decimal USD. */
  costUsd: string;
  /** Time when this browser received the video; null until then. */
  receivedAtMs: number | null;
  bytes: number;
  /** The server's proof that it no longer has the video; null before the deletion. */
  gone: (GoneProof & { atMs: number }) | null;
}

/** Maximum length of the list; older videos are dropped. */
export const JOBS_MAX = 20;

/** Only `kept-videos.ts` writes this store, so that jobs and stored videos stay in sync. */
export const jobsStore = createStoredValue<readonly VideoJob[]>({
  key: 'turnpike.videos',
  initial: [],
  parse: parseJobs,
});

export function useVideoJobs(): readonly VideoJob[] {
  return useStoredValue(jobsStore);
}

export function queuedVideoOf({ queueId, request }: VideoJob): QueuedVideo {
  return { model: request.model, queue_id: queueId };
}

export function parseJobs(stored: unknown): readonly VideoJob[] | null {
  return Array.isArray(stored) ? stored.filter(isVideoJob).slice(0, JOBS_MAX) : null;
}

function isVideoJob(value: unknown): value is VideoJob {
  if (typeof value !== 'object' || value === null) return false;
  const job = value as Record<keyof VideoJob, unknown>;
  const request = job.request as Record<keyof VideoRequest, unknown> | null;
  const gone = job.gone as Record<string, unknown> | null;
  return (
    [job.queueId, job.costUsd, request?.model, request?.prompt, request?.duration, request?.aspect_ratio].every(
      (text) => typeof text === 'string',
    ) &&
    [job.queuedAtMs, job.bytes].every((number) => typeof number === 'number') &&
    (job.receivedAtMs === null || typeof job.receivedAtMs === 'number') &&
    (gone === null ||
      (typeof gone === 'object' &&
        typeof gone.status === 'number' &&
        typeof gone.sentence === 'string' &&
        typeof gone.atMs === 'number'))
  );
}
