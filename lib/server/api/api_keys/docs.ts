import { standardErrorSchema } from '@/lib/protocol/error-bodies';
import { RATE_LIMIT_HEADERS } from '../openapi/refusals';

export const TOO_MANY = {
  description: 'Too many requests',
  schema: standardErrorSchema,
  codes: ['MINUTE_CAP'],
  headers: RATE_LIMIT_HEADERS,
} as const;
