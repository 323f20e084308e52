import { z } from 'zod';
import { standardErrorSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../http/operation';
import { TOO_MANY_OF_CALLER } from '../openapi/refusals';

export const REFUSALS: Operation['responses'] = {
  401: {
    description: 'No credential, or one that is not valid',
    schema: standardErrorSchema,
    codes: ['UNAUTHORIZED', 'INVALID_API_KEY'],
  },
  429: TOO_MANY_OF_CALLER,
  503: {
    description: 'The gateway cannot reach its database',
    schema: standardErrorSchema,
    codes: ['STORE_UNAVAILABLE'],
  },
};

export const usd = z.string().describe('USD, exact to 9 decimals');

export const spent = {
  units: z
    .number()
    .describe('Credits of rpc, tokens of chat (prompt and completion), characters of speech, seconds of video'),
  amount: usd,
  currency: z.string().describe('The first pot it was charged to: DIEM, BUNDLED_CREDITS, USD or X402'),
  pots: z.record(z.string(), usd).describe('How the amount was split over pots'),
};
