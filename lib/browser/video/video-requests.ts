import { VIDEO_PATHS, type VideoRequest } from '@/lib/client';
import type { PageRequest } from '../samples/http-request';
import { queuedVideoOf, type VideoJob } from './video-jobs';

/** The requests of the Video page, for its code samples; about the newest video, where there is one. */
export function videoRequests(request: VideoRequest, newest: VideoJob | null): PageRequest[] {
  const video = newest === null ? { model: request.model, queue_id: '00000000-0000-4000-8000-000000000000' } : queuedVideoOf(newest);
  return [
    { name: 'Queue a video', verb: 'POST', path: VIDEO_PATHS.queue, body: request },
    { name: 'Retrieve it', verb: 'POST', path: VIDEO_PATHS.retrieve, body: video, saveAs: 'video.mp4' },
    { name: 'Delete it from the server', verb: 'POST', path: VIDEO_PATHS.complete, body: video },
  ];
}
