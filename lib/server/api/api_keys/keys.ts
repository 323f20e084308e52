import { z } from 'zod';
import { type KeyPage, keyPageSchema } from '@/lib/protocol/api-keys/terms';
import { detailedErrorSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { keyHolderOf } from '../../auth/minting/key-holder';
import { showListedKey } from '../../auth/minting/shown-key';
import { findApiKey, pageOfApiKeys, revokeApiKey } from '../../db/api-keys';
import { askStore } from '../../db/ask-store';
import { readKeyUsage } from '../../db/key-usage';
import { type Call, json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { readQuery } from '../../http/json-body';
import { TOO_MANY } from './docs';
import type { Auth } from '../../auth/auth';
import type { Database } from '../../db/schema';

const NO_STORE = { description: 'The gateway cannot reach its database; nothing was changed', schema: standardErrorSchema };

const NOT_THEIRS = {
  401: { description: 'No credential, or one that does not hold', schema: standardErrorSchema },
  403: { description: 'An INFERENCE key, which may not do this', schema: standardErrorSchema },
};

/** GET /api_keys in the API description. */
const listKeysDocs: Operation = {
  id: 'listKeys',
  summary: 'List the API keys of the account',
  description: 'Newest first, without the keys themselves. For an ADMIN key, or a wallet sign-in for its own account.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    { name: 'limit', in: 'query', required: false, description: 'Keys of a page, 1 to 100; 100 unless given', schema: z.int().min(1).max(100) },
    { name: 'offset', in: 'query', required: false, description: 'Keys to pass over; 0 unless given', schema: z.int().min(0).max(1_000_000) },
    { name: 'includeRevoked', in: 'query', required: false, description: 'true: also those that were revoked', schema: z.enum(['true', 'false']) },
  ],
  responses: {
    200: { description: 'A page of keys', schema: keyPageSchema },
    400: { description: 'A parameter is not valid', schema: detailedErrorSchema },
    ...NOT_THEIRS,
    429: TOO_MANY,
    503: NO_STORE,
  },
};

/** DELETE /api_keys in the API description. */
const revokeKeyDocs: Operation = {
  id: 'revokeKey',
  summary: 'Revoke an API key',
  description:
    'For good, with its next request. For an ADMIN key, which may revoke itself, or a wallet sign-in, of the same account. A key that is revoked already stays so, and the answer is the same.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [{ name: 'id', in: 'query', required: true, description: 'The id that the list shows', schema: z.string() }],
  responses: {
    200: { description: 'The key is revoked', schema: z.object({ success: z.literal(true) }) },
    400: { description: 'No id', schema: detailedErrorSchema },
    ...NOT_THEIRS,
    404: { description: 'The account has no key with this id', schema: standardErrorSchema },
    429: TOO_MANY,
    503: NO_STORE,
  },
};

const PAGE_MAX = 100;

const OFFSET_MAX = 1_000_000;

/** As the database gives them; any other text names no key. */
const KEY_ID = /^[1-9][0-9]{0,14}$/;

const pageSchema = z.object({
  limit: wholeNumber(1, PAGE_MAX).default(PAGE_MAX),
  offset: wholeNumber(0, OFFSET_MAX).default(0),
  includeRevoked: z
    .enum(['true', 'false'], 'Must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
});

const revocationSchema = z.object({ id: z.string('Is missing: it says which key to revoke').min(1, 'Is empty: it says which key to revoke') });

export const apiKeysRoute: Route = { path: '/api/v1/api_keys', docs: { GET: listKeysDocs, DELETE: revokeKeyDocs } };

/** GET /api_keys: the keys of the caller's account. DELETE /api_keys?id=: revokes one of them. */
export function apiKeys(holders: { auth: Auth; db: Database; now: () => number }): Endpoint {
  const { db, now } = holders;
  return {
    ...apiKeysRoute,
    GET: async (call) => {
      const { accountId } = await keyHolderOf(call, holders);
      const { limit, offset, includeRevoked } = readQuery(call, pageSchema);
      const at = now();
      const page: KeyPage = { success: true, data: [], pagination: { limit, offset, hasMore: false }, usageAsOf: new Date(at).toISOString() };
      if (accountId === null) return json(page);
      const keys = await askStore(() => pageOfApiKeys(db, accountId, { limit: limit + 1, offset, includeRevoked }));
      const usage = await askStore(() => readKeyUsage(db, accountId, at));
      page.data = keys.slice(0, limit).map((key) => showListedKey(key, usage.of(key)));
      page.pagination.hasMore = keys.length > limit;
      page.usageAsOf = new Date(usage.asOf).toISOString();
      return json(page);
    },
    DELETE: async (call) => {
      const { accountId } = await keyHolderOf(call, holders);
      const id = idOf(call);
      const key = id === null || accountId === null ? null : await askStore(() => findApiKey(db, id));
      if (!key || key.accountId !== accountId) throw apiError('API_KEY_NOT_FOUND');
      await askStore(() => revokeApiKey(db, key.id, now()));
      return json({ success: true });
    },
  };
}

function idOf(call: Call): number | null {
  const { id } = readQuery(call, revocationSchema);
  return KEY_ID.test(id) ? Number(id) : null;
}

function wholeNumber(min: number, max: number) {
  const fault = `Must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^[0-9]{1,9}$/, fault).transform(Number).refine((value) => value >= min && value <= max, fault);
}
