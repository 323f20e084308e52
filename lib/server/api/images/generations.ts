import { refusedRequestSchema } from '@/lib/protocol/error-bodies';
import { imageGenerationsAnswerSchema, imageGenerationsSchema } from '@/lib/protocol/images/image-requests';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { orderOfGenerations } from '../../images/image-order';
import type { Images } from '../../images/images';
import { imagesService } from '../../images/images-service';
import { IDEMPOTENCY_KEY_PARAMETER, KEPT_ANSWER_HEADERS } from '../openapi/paid-calls';
import { WHOLE_ANSWER_REFUSALS } from '../openapi/refusals';

/** PNG of one pixel, in Base64. */
export const PICTURE_EXAMPLE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPQiFoAAAHQASMcErYsAAAAAElFTkSuQmCC';

export const PRICE = 'By the picture, at the price of its size in GET /models?type=image.';

export const SOLD_HEADERS = {
  'X-Balance-Remaining':
    'Prepaid balance of the wallet after this request, in USD to 6 decimal places; only with a wallet sign-in',
  ...KEPT_ANSWER_HEADERS,
};

/** Refusals of the two image endpoints, by status. */
export const IMAGE_REFUSALS: Operation['responses'] = {
  400: {
    description:
      'The request is not valid, the model does not support the size or format, or the model refuses the prompt',
    schema: refusedRequestSchema,
    codes: ['MODEL_REFUSED'],
  },
  ...WHOLE_ANSWER_REFUSALS,
};

const docs: Operation = {
  id: 'createImages',
  tag: 'Images',
  sale: {
    product: 'images',
    mediaType: 'application/json',
    keywords: ['image', 'text-to-image', 'picture', 'art', 'openai'],
    price: PRICE,
  },
  summary: 'Make pictures from a text',
  description:
    'In the form of the OpenAI image generations API. Pictures come as Base64 (b64_json) and are not stored. GET /models?type=image lists sizes, formats and prices. A request that fails or returns too few pictures is not charged.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [IDEMPOTENCY_KEY_PARAMETER],
  body: {
    schema: imageGenerationsSchema,
    examples: { one: { model: 'stand-in-image', prompt: 'A lighthouse in a storm', size: '512x512' } },
  },
  responses: {
    200: {
      description: 'The pictures',
      schema: imageGenerationsAnswerSchema,
      examples: {
        one: { created: 1795487400, data: [{ b64_json: PICTURE_EXAMPLE }], output_format: 'png', size: '512x512' },
      },
      headers: SOLD_HEADERS,
    },
    ...IMAGE_REFUSALS,
  },
};

export const imageGenerationsRoute: Route = { path: '/api/v1/images/generations', docs: { POST: docs } };

/** POST /images/generations: generates images from a prompt. Charges per image. */
export function imageGenerations({
  paidCalls,
  images,
  now,
}: {
  paidCalls: PaidCalls;
  images: Images;
  now: () => number;
}): Endpoint {
  const service = imagesService(images, {
    name: 'generations',
    schema: imageGenerationsSchema,
    order: orderOfGenerations,
    write: ({ images: made, order: { format, size } }) => ({
      created: Math.floor(now() / 1_000),
      data: made.map((image) => ({ b64_json: image.toString('base64') })),
      output_format: format,
      size,
    }),
  });
  return { ...imageGenerationsRoute, POST: (call) => paidCalls.serve(call, service) };
}
