import { refusedRequestSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../http/operation';
import { KEPT_ANSWER_HEADERS } from '../openapi/idempotency';
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

/** Refusals of both image endpoints, by status. */
export const IMAGE_REFUSALS: Operation['responses'] = {
  400: {
    description:
      'The request is not valid, the model does not support the size or format, or the model refuses the prompt',
    schema: refusedRequestSchema,
    codes: ['MODEL_REFUSED'],
  },
  ...WHOLE_ANSWER_REFUSALS,
};
