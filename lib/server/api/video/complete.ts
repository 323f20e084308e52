import { standardErrorSchema, succeededSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { videoCompleteSchema } from '@/lib/protocol/video/video-requests';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { readJson } from '../../http/json-body';
import { ownVideo } from '../../video/retrieve-video';
import { common, discovery, QUEUE_ID } from './retrieve';
import type { Auth } from '../../auth/auth';
import type { Video } from '../../video/video';
import { VIDEO_BODY_BYTES_MAX } from '../../video/video-service';

const videoCompleteDocs: Operation = {
  id: 'completeVideo',
  tag: 'Video',
  summary: 'Delete a video',
  description:
    'Deletes a stored video request with its file. Free of charge. Of two simultaneous requests, one succeeds and the other gets 404.',
  credentials: ['apiKey', 'signInWithX'],
  body: { schema: videoCompleteSchema, examples: { video: { model: 'stand-in-video', queue_id: QUEUE_ID } } },
  responses: {
    200: { description: 'The video is deleted', schema: succeededSchema, examples: { deleted: { success: true } } },
    ...common,
    402: discovery,
    404: {
      description: 'Unknown, deleted, or of another account (VIDEO_NOT_FOUND)',
      schema: standardErrorSchema,
      codes: ['VIDEO_NOT_FOUND'],
    },
    409: {
      description: 'The video is still being made (VIDEO_NOT_READY)',
      schema: standardErrorSchema,
      codes: ['VIDEO_NOT_READY'],
    },
    503: {
      description: 'The gateway cannot reach its database',
      schema: standardErrorSchema,
      codes: ['STORE_UNAVAILABLE'],
    },
  },
};

export const videoCompleteRoute: Route = { path: '/api/v1/video/complete', docs: { POST: videoCompleteDocs } };

/** POST /video/complete: deletes a video request with its media. Free, so it needs no balance. */
export function videoComplete({ auth, video }: { auth: Auth; video: Video }): Endpoint {
  return {
    ...videoCompleteRoute,
    POST: async (call) => {
      const { caller, body } = await auth.identifyWithBody(call, () =>
        readJson(call, videoCompleteSchema, VIDEO_BODY_BYTES_MAX),
      );
      const { id, state } = await ownVideo(body, caller, video);
      if (state === 'QUEUED' || state === 'PROCESSING') throw apiError('VIDEO_NOT_READY');
      if (!(await video.jobs.remove(id))) throw apiError('VIDEO_NOT_FOUND');
      return json({ success: true });
    },
  };
}
