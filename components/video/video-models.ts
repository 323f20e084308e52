'use client';

import type { PageRequest } from '@/components/samples/http-request';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useRead } from '@/lib/browser/reads/use-read';
import { createFieldDrafts } from '@/lib/browser/storage/text-drafts';
import { listVideoModels, VIDEO_PATHS, type VideoModel, type VideoRequest } from '@/lib/client';
import { queuedVideoOf, type VideoJob } from './video-jobs';
import { videoWords } from './words';

export function useVideoModels() {
  return useRead({ key: ['models', 'video'], read: (signal) => listVideoModels(gatewayOptions(), { signal }) });
}

export function videoCostUsd(model: Pick<VideoModel, 'usdPerSecond'>, duration: string): string {
  return (model.usdPerSecond * secondsOf(duration)).toFixed(9);
}

/** Sorts durations: shortest first, invalid ones last. Needed because the API lists the default first. */
export function lengthsInOrder(durations: readonly string[]): string[] {
  const rank = (duration: string) => secondsOf(duration) || Number.MAX_VALUE;
  return [...durations].sort((one, other) => rank(one) - rank(other));
}

/** Returns the seconds of a duration such as "5s"; 0 if invalid. */
export function secondsOf(duration: string): number {
  return /^\d+s$/.test(duration) ? Number(duration.slice(0, -1)) : 0;
}

export function videoRequests(request: VideoRequest, newest: VideoJob | null): PageRequest[] {
  const { requestNames: names } = videoWords.page;
  const video =
    newest === null
      ? { model: request.model, queue_id: '00000000-0000-4000-8000-000000000000' }
      : queuedVideoOf(newest);
  return [
    { name: names.queue, verb: 'POST', path: VIDEO_PATHS.queue, body: request },
    { name: names.retrieve, verb: 'POST', path: VIDEO_PATHS.retrieve, body: video, saveAs: 'video.mp4' },
    { name: names.complete, verb: 'POST', path: VIDEO_PATHS.complete, body: video },
  ];
}

/** Draft of the Video page. An empty field stands for the default. */
export const useVideoDraft = createFieldDrafts('turnpike.video-draft', {
  model: '',
  prompt: '',
  duration: '',
  aspectRatio: '',
});
