import { z } from 'zod';
import { standardErrorSchema } from '@/lib/protocol/error-bodies';
import { videoQueuedSchema, videoQueueSchema } from '@/lib/protocol/video/video-requests';
import type { Operation } from '../../http/operation';
import { MODEL_REFUSALS } from '../openapi/refusals';
import { INVALID, QUEUE_ID } from './retrieve';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Video } from '../../video/video';
import { videoService } from '../../video/video-service';

const videoQueueDocs: Operation = {
  id: 'queueVideo',
  tag: 'Video',
  sale: {
    product: 'video',
    mediaType: 'application/json',
    keywords: ['video', 'text-to-video', 'generation'],
    price: 'By the seconds of the video, at the price of the model in GET /models?type=video.',
  },
  summary: 'Queue a video',
  description:
    'GET /models?type=video lists models with durations, aspect ratios, resolutions and prices. The price of the whole video is charged now, and refunded if the video cannot be made. ' +
    'Unlisted fields are ignored. The answer comes immediately; POST /video/retrieve returns the video when it is ready.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same key and request within 24 hours give the same video, charged once',
      schema: z.string().regex(/^[A-Za-z0-9_-]{1,255}$/),
    },
  ],
  body: {
    schema: videoQueueSchema,
    examples: {
      video: { model: 'stand-in-video', prompt: 'A lighthouse in a storm', duration: '5s', aspect_ratio: '16:9' },
    },
  },
  responses: {
    200: {
      description: 'The video is queued and charged',
      schema: videoQueuedSchema,
      examples: { queued: { model: 'stand-in-video', queue_id: QUEUE_ID } },
      headers: {
        'X-Balance-Remaining':
          'Prepaid balance of the wallet after this request, in USD to 6 decimal places; only with a wallet sign-in',
        'Idempotent-Replayed': 'true, only if the answer was stored for an earlier request',
      },
    },
    ...MODEL_REFUSALS,
    400: INVALID,
    404: {
      description: 'There is no such video model (MODEL_NOT_FOUND)',
      schema: standardErrorSchema,
      codes: ['MODEL_NOT_FOUND'],
    },
    503: {
      description: 'The queue is full (VIDEO_QUEUE_FULL), or the gateway cannot reach its database',
      schema: standardErrorSchema,
      codes: ['VIDEO_QUEUE_FULL', 'OVERLOADED', 'STORE_FULL'],
      headers: { 'Retry-After': 'Seconds to wait, if the queue is full' },
    },
  },
};

export const videoQueueRoute: Route = { path: '/api/v1/video/queue', docs: { POST: videoQueueDocs } };

/** POST /video/queue: queues a video. Charges per second of video. */
export function videoQueue({ paidCalls, video }: { paidCalls: PaidCalls; video: Video }): Endpoint {
  const service = videoService(video);
  return { ...videoQueueRoute, POST: (call) => paidCalls.serve(call, service) };
}
