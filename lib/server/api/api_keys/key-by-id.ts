import { changedKeySchema, type ListedKey } from '@/lib/protocol/api-keys/terms';
import { refusedRequestSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { z } from 'zod';
import type { Auth } from '../../auth/auth';
import { keyHolderOf } from '../../auth/key-authority';
import { showListedKey } from '../../auth/minting/shown-key';
import { type ApiKey, findApiKey } from '../../db/api-keys';
import { askStore } from '../../db/ask-store';
import { lastAlerts } from '../../db/key-alerts';
import { readKeyUsage } from '../../db/key-usage';
import type { Database } from '../../db/schema';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { KEY_REFUSALS, LISTED_KEY_EXAMPLE, NO_STORE, NO_SUCH_KEY, TOO_MANY } from './docs';

const docs: Operation = {
  id: 'retrieveKey',
  tag: 'API keys',
  summary: 'One API key of the account',
  description:
    'Its terms and usage, without the key itself. For an ADMIN key, or a wallet sign-in for its own account.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'The id that the list shows',
      schema: z.string(),
      example: '17',
    },
  ],
  responses: {
    200: {
      description: 'The key',
      schema: changedKeySchema,
      examples: { key: { success: true, data: LISTED_KEY_EXAMPLE } },
    },
    400: { description: 'The path cannot be read', schema: refusedRequestSchema, codes: ['INVALID_PATH'] },
    ...KEY_REFUSALS,
    404: NO_SUCH_KEY,
    429: TOO_MANY,
    503: NO_STORE,
  },
};

export const keyByIdRoute: Route = { path: '/api/v1/api_keys/{id}', docs: { GET: docs } };

/** GET /api_keys/{id}: returns one key, in the form that GET /api_keys uses. */
export function keyById(holders: { auth: Auth; db: Database; now: () => number }): Endpoint {
  const { db, now } = holders;
  return {
    ...keyByIdRoute,
    GET: async (call) => {
      const { accountId } = await keyHolderOf(call, holders);
      const id = keyIdOf(call.params.id ?? '');
      const key = await askStore(() => findApiKey(db, id));
      if (!key || key.accountId !== accountId) throw apiError('API_KEY_NOT_FOUND');
      return json({ success: true, data: await showKey(db, key, now()) });
    },
  };
}

const KEY_ID = /^[1-9][0-9]{0,14}$/;

/** Parses a key's id. @throws ApiError 404 if no key can have this id */
export function keyIdOf(text: string): number {
  if (!KEY_ID.test(text)) throw apiError('API_KEY_NOT_FOUND');
  return Number(text);
}

/** Returns a key in the form of GET /api_keys, with its usage and last alert. */
export async function showKey(db: Database, key: ApiKey, now: number): Promise<ListedKey> {
  const usage = await askStore(() => readKeyUsage(db, key.accountId, now));
  const alerts = await askStore(() => lastAlerts(db, [key.id]));
  return showListedKey(key, usage.of(key), alerts.get(key.id) ?? null);
}
