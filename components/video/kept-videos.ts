'use client';

import type { GoneProof } from '@/lib/client';
import { createKeptMedia } from '@/lib/browser/storage/kept-media';
import { JOBS_MAX, jobsStore, type VideoJob } from './video-jobs';

const keptVideos = createKeptMedia('turnpike.videos');

/** Adds a video to the list of the newest JOBS_MAX videos. */
export function addVideoJob(job: VideoJob): void {
  const all = [job, ...jobsStore.get()];
  jobsStore.set(all.slice(0, JOBS_MAX));
  void keptVideos.forget(all.slice(JOBS_MAX).map(({ queueId }) => queueId));
}

export async function keepVideo(queueId: string, media: Blob): Promise<void> {
  changeJob(queueId, { receivedAtMs: Date.now(), bytes: media.size });
  await keptVideos.put(queueId, media);
}

export async function keptVideoOf(queueId: string): Promise<Blob | null> {
  const found = await keptVideos.get(queueId);
  return found === null ? null : new Blob([found], { type: 'video/mp4' });
}

export function noteGone(queueId: string, proof: GoneProof): void {
  changeJob(queueId, { gone: { ...proof, atMs: Date.now() } });
}

export async function forgetVideoJob(queueId: string): Promise<void> {
  jobsStore.set(jobsStore.get().filter((job) => job.queueId !== queueId));
  await keptVideos.forget([queueId]);
}

function changeJob(queueId: string, change: Partial<VideoJob>): void {
  jobsStore.set(jobsStore.get().map((job) => (job.queueId === queueId ? { ...job, ...change } : job)));
}
