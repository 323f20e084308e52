import { z } from 'zod';
import { standardErrorSchema } from '@/lib/protocol/error-bodies';
import type { KeyName } from '../../billing/usage/name-keys';
import type { Operation } from '../../http/operation';
import { TOO_MANY_OF_CALLER } from '../openapi/refusals';

export const REFUSALS: Operation['responses'] = {
  401: {
    description: 'The credential is missing or not valid',
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

export const keyName = z
  .object({ id: z.string(), last6: z.string(), description: z.string() })
  .nullable()
  .describe('null for wallet sign-in');

/** Converts a key's id to a string, because GET /api_keys lists ids as strings. */
export function showKey(key: KeyName) {
  return { ...key, id: String(key.id) };
}

export const usd = z.string().describe('USD, exact to 9 decimals');

export const units = z
  .number()
  .describe('Credits for rpc, tokens for chat (prompt and completion), characters for speech, seconds for video');

export const spent = {
  units,
  amount: usd,
  currency: z.string().describe('First balance that was charged: DIEM, BUNDLED_CREDITS, USD or X402'),
  pots: z.record(z.string(), usd).describe('How the amount was split over the balances'),
};
