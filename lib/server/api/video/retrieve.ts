import { detailedErrorSchema, discoverySchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { videoProgressSchema, videoRetrieveSchema } from '@/lib/protocol/video/video-requests';
import type { Auth } from '../../auth/auth';
import { FREE_HINT } from '../../auth/payment-challenge';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import { readJson } from '../../http/json-body';
import type { Operation } from '../../http/operation';
import { MediaBody, mediaOf, ownVideo, progressOf } from '../../video/retrieve-video';
import type { Video } from '../../video/video';
import { VIDEO_BODY_BYTES_MAX } from '../../video/video-service';
import {
  DISCOVERY_EXAMPLE,
  faultyField,
  JSON_REFUSALS,
  PAYMENT_REQUIRED_HEADER,
  TOO_MANY_OF_CALLER,
} from '../openapi/refusals';

export const QUEUE_ID = '2f0e7d1c-93b8-4a5e-8c1f-6f0b6c0f7a11';

export const INVALID = {
  description: 'The request is not valid',
  schema: detailedErrorSchema,
  examples: { field: faultyField('model', 'It is missing and must be a string') },
};

export const common = {
  400: INVALID,
  ...JSON_REFUSALS,
  401: {
    description: 'The credential is not valid',
    schema: standardErrorSchema,
    codes: ['INVALID_API_KEY', 'SIGN_IN_EXPIRED'],
  },
  429: TOO_MANY_OF_CALLER,
  500: { description: 'The gateway failed', schema: standardErrorSchema, codes: ['INTERNAL'] },
} as const;

export const discovery = {
  description: 'No credential (discovery); never for an empty balance',
  schema: discoverySchema,
  examples: { discovery: { ...DISCOVERY_EXAMPLE, error: FREE_HINT, hint: FREE_HINT } },
  headers: PAYMENT_REQUIRED_HEADER,
};

const videoRetrieveDocs: Operation = {
  id: 'retrieveVideo',
  tag: 'Video',
  summary: 'Get a video or its progress',
  description:
    'Free of charge. While the video is being made, the answer is JSON with times in milliseconds. Then the answer is the video itself (video/mp4). Videos are stored for at most a day.',
  credentials: ['apiKey', 'signInWithX'],
  body: {
    schema: videoRetrieveSchema,
    examples: { video: { model: 'stand-in-video', queue_id: QUEUE_ID, delete_media_on_completion: false } },
  },
  responses: {
    200: {
      description: 'The progress or, with Content-Type video/mp4, the video',
      schema: videoProgressSchema,
      examples: { progress: { status: 'PROCESSING', average_execution_time: 42000, execution_duration: 9500 } },
      media: [{ type: 'video/mp4' }],
    },
    ...common,
    402: discovery,
    404: {
      description:
        'Unknown, deleted, or of another account (VIDEO_NOT_FOUND), or the video file is gone (VIDEO_MEDIA_GONE)',
      schema: standardErrorSchema,
      codes: ['VIDEO_NOT_FOUND', 'VIDEO_MEDIA_GONE'],
    },
    422: {
      description: 'The video could not be made, and its price was refunded (VIDEO_FAILED); the error says why',
      schema: standardErrorSchema,
      codes: ['VIDEO_FAILED'],
    },
    503: {
      description: 'The video storage does not answer, or the gateway cannot reach its database',
      schema: standardErrorSchema,
      codes: ['VIDEO_STORAGE_UNAVAILABLE'],
    },
  },
};

export const videoRetrieveRoute: Route = { path: '/api/v1/video/retrieve', docs: { POST: videoRetrieveDocs } };

/** POST /video/retrieve: returns a video or its progress. Free, so it needs no balance. */
export function videoRetrieve({ auth, video }: { auth: Auth; video: Video }): Endpoint {
  return {
    ...videoRetrieveRoute,
    POST: async (call) => {
      const { caller, body: asked } = await auth.identifyWithBody(call, () =>
        readJson(call, videoRetrieveSchema, VIDEO_BODY_BYTES_MAX),
      );
      const request = await ownVideo(asked, caller, video);
      if (request.state === 'FAILED')
        throw apiError('VIDEO_FAILED', {
          message: `The video could not be made, and nothing was charged for it. ${sentence(request.error)}`.trim(),
        });
      if (request.state !== 'COMPLETED') return json(await progressOf(request, video));
      const media = await mediaOf(request, video);
      const whenSent = (): void => {
        if (!asked.delete_media_on_completion) return;
        video.jobs
          .remove(request.id)
          .catch((error: unknown) =>
            video.log.warn(
              { err: error, videoId: request.id },
              'deleting a retrieved video failed and will be retried',
            ),
          );
      };
      return {
        status: 200,
        headers: { 'content-type': 'video/mp4', 'content-length': String(media.bytes) },
        body: new MediaBody(media, whenSent),
      };
    },
  };
}

function sentence(text: string | null): string {
  const said = (text ?? '').replace(/\s+/g, ' ').trim();
  return said === '' || /[.!?]$/.test(said) ? said : `${said}.`;
}
