import { detailedErrorSchema, discoverySchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { DISCOVERY_EXAMPLE } from '../openapi/discovery-example';
import { faultyField } from '../openapi/faulty-field';
import { JSON_REFUSALS, PAYMENT_REQUIRED_HEADER, TOO_MANY_OF_CALLER } from '../openapi/refusals';

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
  examples: { discovery: DISCOVERY_EXAMPLE },
  headers: PAYMENT_REQUIRED_HEADER,
};
