import { standardErrorSchema } from '@/lib/protocol/error-bodies';
import { RATE_LIMIT_HEADERS } from '../openapi/refusals';

export const TOO_MANY = {
  description: 'Too many requests',
  schema: standardErrorSchema,
  codes: ['MINUTE_CAP'],
  headers: RATE_LIMIT_HEADERS,
} as const;

export const NO_STORE = {
  description: 'The gateway cannot reach its database; nothing was changed',
  schema: standardErrorSchema,
  codes: ['STORE_UNAVAILABLE', 'STORE_FULL'],
} as const;

export const NO_CREDENTIAL = {
  description: 'No credential, or one that is not valid',
  schema: standardErrorSchema,
  codes: ['UNAUTHORIZED', 'INVALID_API_KEY'],
} as const;

/** Refusals for callers who are not allowed to manage the account's keys. */
export const KEY_REFUSALS = {
  401: NO_CREDENTIAL,
  403: { description: 'An INFERENCE key, which may not do this', schema: standardErrorSchema, codes: ['FORBIDDEN'] },
} as const;

export const NO_SUCH_KEY = {
  description: 'The account has no key with this id',
  schema: standardErrorSchema,
  codes: ['API_KEY_NOT_FOUND'],
} as const;

export const LISTED_KEY_EXAMPLE = {
  id: '17',
  apiKeyType: 'INFERENCE',
  description: 'bot',
  last6Chars: 'oVy6Wx',
  consumptionLimit: { usd: 10, diem: null },
  limitPeriod: 'MONTH',
  usage: { currentPeriod: { usd: 0.4812, diem: 0 }, total: { usd: 3.0291, diem: 0 } },
  allow: { endpoints: ['rpc'], networks: ['base-mainnet'] },
  prepaidLimitUsd: null,
  alert: { usd: 8, webhookUrl: null, last: null },
  createdAt: '2026-11-02T09:12:44.000Z',
  lastUsedAt: '2026-11-23T17:40:03.512Z',
  expiresAt: '2027-01-31T23:59:59.999Z',
  revokedAt: null,
};
