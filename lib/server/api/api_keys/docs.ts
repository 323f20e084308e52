import { standardErrorSchema } from '@/lib/protocol/error-bodies';
import { RATE_LIMIT_HEADERS } from '../openapi/refusals';

export const TOO_MANY = { description: 'Too many requests', schema: standardErrorSchema, headers: RATE_LIMIT_HEADERS };
