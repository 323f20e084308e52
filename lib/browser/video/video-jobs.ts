'use client';

import type { GoneProof, QueuedVideo, VideoRequest } from '@/lib/client';
import { createKeptMedia } from '../media/kept-media';
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

const JOBS_MAX = 20;

const jobsStore = createStoredValue<readonly VideoJob[]>({ key: 'turnpike.videos', initial: [], parse: parseJobs });
const keptVideos = createKeptMedia('turnpike.videos');

/** Newest first. */
export function useVideoJobs(): readonly VideoJob[] {
  return useStoredValue(jobsStore);
}

export function addVideoJob(job: VideoJob): void {
  const all = [job, ...jobsStore.get()];
  jobsStore.set(all.slice(0, JOBS_MAX));
  void keptVideos.forget(all.slice(JOBS_MAX).map(({ queueId }) => queueId));
}

/** Keeps a video that came from the server. */
export async function keepVideo(queueId: string, media: Blob): Promise<void> {
  changeJob(queueId, { receivedAtMs: Date.now(), bytes: media.size });
  await keptVideos.put(queueId, media);
}

/** null where this browser does not have it. */
export async function keptVideoOf(queueId: string): Promise<Blob | null> {
  const found = await keptVideos.get(queueId);
  return found === null ? null : new Blob([found], { type: 'video/mp4' });
}

export function noteGone(queueId: string, proof: GoneProof): void {
  changeJob(queueId, { gone: { ...proof, atMs: Date.now() } });
}

/** Erases a video, and that it was, from this browser. */
export async function forgetVideoJob(queueId: string): Promise<void> {
  jobsStore.set(jobsStore.get().filter((job) => job.queueId !== queueId));
  await keptVideos.forget([queueId]);
}

/** How the API names a job. */
export function queuedVideoOf({ queueId, request }: VideoJob): QueuedVideo {
  return { model: request.model, queue_id: queueId };
}

/** Keeps the entries that are whole; an older or a foreign shape must not break the page. */
export function parseJobs(stored: unknown): readonly VideoJob[] | null {
  return Array.isArray(stored) ? stored.filter(isVideoJob).slice(0, JOBS_MAX) : null;
}

function changeJob(queueId: string, change: Partial<VideoJob>): void {
  jobsStore.set(jobsStore.get().map((job) => (job.queueId === queueId ? { ...job, ...change } : job)));
}

function isVideoJob(value: unknown): value is VideoJob {
  if (typeof value !== 'object' || value === null) return false;
  const job = value as Record<keyof VideoJob, unknown>;
  const request = job.request as Record<keyof VideoRequest, unknown> | null;
  const gone = job.gone as Record<string, unknown> | null;
  return (
    [job.queueId, job.costUsd, request?.model, request?.prompt, request?.duration, request?.aspect_ratio].every((text) => typeof text === 'string') &&
    [job.queuedAtMs, job.bytes].every((number) => typeof number === 'number') &&
    (job.receivedAtMs === null || typeof job.receivedAtMs === 'number') &&
    (gone === null || (typeof gone === 'object' && typeof gone.status === 'number' && typeof gone.sentence === 'string' && typeof gone.atMs === 'number'))
  );
}
