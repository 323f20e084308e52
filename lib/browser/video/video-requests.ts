import { VIDEO_PATHS, type VideoRequest } from '@/lib/client';
import type { PageRequest } from '../samples/http-request';
import { videoWords } from '../words/video';
import { queuedVideoOf, type VideoJob } from './video-jobs';

/** Requests of the Video page for its code samples, about the newest video if there is one. */
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
