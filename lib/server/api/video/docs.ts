import { z } from 'zod';
import { detailedErrorSchema, discoverySchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { videoCompleteSchema, videoProgressSchema, videoQueuedSchema, videoQueueSchema, videoRetrieveSchema } from '@/lib/protocol/video/video-requests';
import type { Operation } from '../../http/operation';
import { JSON_REFUSALS, MODEL_REFUSALS, PAYMENT_REQUIRED_HEADER, TOO_MANY_OF_CALLER } from '../openapi/refusals';

const QUEUE_ID = '2f0e7d1c-93b8-4a5e-8c1f-6f0b6c0f7a11';

const INVALID = { description: 'The request is not valid', schema: detailedErrorSchema };

const common = {
  400: INVALID,
  ...JSON_REFUSALS,
  401: { description: 'The credential does not hold', schema: standardErrorSchema },
  429: TOO_MANY_OF_CALLER,
  500: { description: 'The gateway failed', schema: standardErrorSchema },
} as const;

const discovery = { description: 'No credential (discovery); never for an empty balance', schema: discoverySchema, headers: PAYMENT_REQUIRED_HEADER };

/** POST /video/queue in the API description. */
export const videoQueueDocs: Operation = {
  id: 'queueVideo',
  summary: 'Ask for a video',
  description:
    'The models, with their durations, aspect ratios, resolutions and prices, are in GET /models?type=video. The price of the whole video is charged at once, and paid back if it cannot be made. ' +
    'Fields that are not listed here are ignored. The answer comes at once: POST /video/retrieve has the video when it is there.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [{ name: 'Idempotency-Key', in: 'header', required: false, description: 'The same key and request within 24 hours are the same video, charged once', schema: z.string().regex(/^[A-Za-z0-9_-]{1,255}$/) }],
  body: { schema: videoQueueSchema, examples: { video: { model: 'stand-in-video', prompt: 'A lighthouse in a storm', duration: '5s', aspect_ratio: '16:9' } } },
  responses: {
    200: {
      description: 'It is queued, and charged',
      schema: videoQueuedSchema,
      headers: {
        'X-Balance-Remaining': 'What the wallet has prepaid after this request, in USD to 6 decimal places; only where a wallet signed in',
        'Idempotent-Replayed': 'true, only where the answer was kept from an earlier request',
      },
    },
    ...MODEL_REFUSALS,
    400: INVALID,
    404: { description: 'There is no such video model (MODEL_NOT_FOUND)', schema: standardErrorSchema },
    503: { description: 'The queue is full (VIDEO_QUEUE_FULL), or the gateway cannot reach its database', schema: standardErrorSchema, headers: { 'Retry-After': 'Seconds to wait, where the queue is full' } },
  },
};

/** POST /video/retrieve in the API description. */
export const videoRetrieveDocs: Operation = {
  id: 'retrieveVideo',
  summary: 'Get a video, or how far it is',
  description: 'Not charged. While the video is being made the answer is JSON, with times in milliseconds; then it is the video itself (video/mp4). Videos are kept for a day at most.',
  credentials: ['apiKey', 'signInWithX'],
  body: { schema: videoRetrieveSchema, examples: { video: { model: 'stand-in-video', queue_id: QUEUE_ID, delete_media_on_completion: false } } },
  responses: {
    200: { description: 'How far it is; or, with Content-Type video/mp4, the video', schema: videoProgressSchema },
    ...common,
    402: discovery,
    404: { description: 'Unknown, deleted, or of another account (VIDEO_NOT_FOUND), or its media have vanished (VIDEO_MEDIA_GONE)', schema: standardErrorSchema },
    422: { description: 'The video could not be made, and was paid back (VIDEO_FAILED); the sentence says why', schema: standardErrorSchema },
    503: { description: 'The storage of videos does not answer, or the gateway cannot reach its database', schema: standardErrorSchema },
  },
};

/** POST /video/complete in the API description. */
export const videoCompleteDocs: Operation = {
  id: 'completeVideo',
  summary: 'Delete a video',
  description: 'Deletes a stored video request with its media. Not charged. Of two at once one succeeds, and the other is 404.',
  credentials: ['apiKey', 'signInWithX'],
  body: { schema: videoCompleteSchema, examples: { video: { model: 'stand-in-video', queue_id: QUEUE_ID } } },
  responses: {
    200: { description: 'It is deleted', schema: z.object({ success: z.boolean() }) },
    ...common,
    402: discovery,
    404: { description: 'Unknown, deleted, or of another account (VIDEO_NOT_FOUND)', schema: standardErrorSchema },
    409: { description: 'The video is still being made (VIDEO_NOT_READY)', schema: standardErrorSchema },
    503: { description: 'The gateway cannot reach its database', schema: standardErrorSchema },
  },
};
