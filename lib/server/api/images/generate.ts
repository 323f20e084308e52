import { IMAGE_FORMATS, imageGenerateAnswerSchema, imageGenerateSchema } from '@/lib/protocol/images/image-requests';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { orderOfGenerate } from '../../images/image-order';
import type { Images } from '../../images/images';
import { imagesService } from '../../images/images-service';
import { IDEMPOTENCY_KEY_PARAMETER } from '../openapi/paid-calls';
import { IMAGE_REFUSALS, PICTURE_EXAMPLE, PRICE, SOLD_HEADERS } from './generations';

const docs: Operation = {
  id: 'generateImage',
  tag: 'Images',
  sale: {
    product: 'images',
    mediaType: 'application/json',
    keywords: ['image', 'text-to-image', 'picture', 'art'],
    price: PRICE,
  },
  summary: 'Make pictures from a text, by width and height',
  description:
    'Like POST /images/generations, with width and height instead of a size. With return_binary, the answer is the picture itself. Fields that the model does not support, such as style_preset or steps, are ignored.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [IDEMPOTENCY_KEY_PARAMETER],
  body: {
    schema: imageGenerateSchema,
    examples: { one: { model: 'stand-in-image', prompt: 'A lighthouse in a storm', width: 512, height: 512 } },
  },
  responses: {
    200: {
      description: 'The pictures; with return_binary the picture itself',
      schema: imageGenerateAnswerSchema,
      examples: {
        one: {
          id: 'generate-image-0f9d1c2b',
          images: [PICTURE_EXAMPLE],
          timing: { inferenceDuration: 840, inferencePreprocessingTime: 0, inferenceQueueTime: 0, total: 840 },
        },
      },
      media: IMAGE_FORMATS.map((format) => ({ type: `image/${format}` })),
      headers: SOLD_HEADERS,
    },
    ...IMAGE_REFUSALS,
  },
};

export const imageGenerateRoute: Route = { path: '/api/v1/image/generate', docs: { POST: docs } };

/** POST /image/generate: generates images from a prompt. Charges per image. */
export function imageGenerate({ paidCalls, images }: { paidCalls: PaidCalls; images: Images }): Endpoint {
  const service = imagesService(images, {
    name: 'generate',
    schema: imageGenerateSchema,
    order: orderOfGenerate,
    write: ({ images: made, requestId, tookMs }) => ({
      id: `generate-image-${requestId}`,
      images: made.map((image) => image.toString('base64')),
      timing: { inferenceDuration: tookMs, inferencePreprocessingTime: 0, inferenceQueueTime: 0, total: tookMs },
    }),
  });
  return { ...imageGenerateRoute, POST: (call) => paidCalls.serve(call, service) };
}
