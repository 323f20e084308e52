'use client';

import type { GoneProof, QueuedVideo, VideoRequest } from '@/lib/client';
import { createStoredValue, useStoredValue } from '../stored-value';

/** A video that was queued in this browser. The server forgets it after 24 hours; this browser when it is told to. */
export interface VideoJob {
  queueId: string;
  request: VideoRequest;
  queuedAtMs: number;
  /** Decimal text of USD. */
  costUsd: string;
  /** When this browser took it from the server; null while it is on its way. */
  receivedAtMs: number | null;
  /** Bytes of the video, once it is here. */
  bytes: number;
  /** The server's word that it is gone from there, and when it said so. */
  gone: (GoneProof & { atMs: number }) | null;
}

/** More than these are let go, the oldest first. */
export const JOBS_MAX = 20;

/** Written by `kept-videos.ts` alone, which keeps the videos in step with it. */
export const jobsStore = createStoredValue<readonly VideoJob[]>({
  key: 'turnpike.videos',
  initial: [],
  parse: parseJobs,
});

/** Newest first. */
export function useVideoJobs(): readonly VideoJob[] {
  return useStoredValue(jobsStore);
}

/** How the API names a job. */
export function queuedVideoOf({ queueId, request }: VideoJob): QueuedVideo {
  return { model: request.model, queue_id: queueId };
}

/** Keeps the entries that are whole; an older or a foreign shape must not break the page. */
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
