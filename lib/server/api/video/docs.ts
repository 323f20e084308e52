import { detailedErrorSchema, discoverySchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { JSON_REFUSALS, PAYMENT_REQUIRED_HEADER, TOO_MANY_OF_CALLER } from '../openapi/refusals';

export const QUEUE_ID = '2f0e7d1c-93b8-4a5e-8c1f-6f0b6c0f7a11';

export const INVALID = { description: 'The request is not valid', schema: detailedErrorSchema };

export const common = {
  400: INVALID,
  ...JSON_REFUSALS,
  401: { description: 'The credential does not hold', schema: standardErrorSchema },
  429: TOO_MANY_OF_CALLER,
  500: { description: 'The gateway failed', schema: standardErrorSchema },
} as const;

export const discovery = { description: 'No credential (discovery); never for an empty balance', schema: discoverySchema, headers: PAYMENT_REQUIRED_HEADER };
