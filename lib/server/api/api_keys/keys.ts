import { z } from 'zod';
import { type KeyBudgetRequest, keyBudgetSchema } from '@/lib/protocol/api-keys/key-budget';
import { changedKeySchema, type KeyPage, keyPageSchema } from '@/lib/protocol/api-keys/terms';
import { detailedErrorSchema, succeededSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { nanoUsdOfNumber } from '@/lib/protocol/parse-usd';
import { type KeyHolder, keyHolderOf, requireKeyHolder, requireMayChange } from '../../auth/key-authority';
import { showListedKey } from '../../auth/minting/shown-key';
import {
  type ApiKey,
  changeApiKey,
  findApiKey,
  type KeyBudget,
  type KeyChange,
  pageOfApiKeys,
} from '../../db/api-keys';
import { askStore } from '../../db/ask-store';
import { lastAlerts } from '../../db/key-alerts';
import { readKeyUsage } from '../../db/key-usage';
import { type Call, json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { readJson, readQuery } from '../../http/json-body';
import { faultyField, JSON_REFUSALS } from '../openapi/refusals';
import { alertOf, checkAllowedNetworks, type Webhooks } from './key-terms';
import { KEY_REFUSALS, LISTED_KEY_EXAMPLE, NO_STORE, NO_SUCH_KEY, TOO_MANY } from './docs';
import { keyIdOf, showKey } from './key-by-id';
import { makeKey, makeKeyDocs } from './make-key';
import type { Auth } from '../../auth/auth';
import type { Meter } from '../../billing/meter';
import type { Database } from '../../db/schema';
import type { RpcNetworks } from '../../upstreams/nodes/networks';

const KEY_PAGE_EXAMPLE = {
  success: true,
  data: [LISTED_KEY_EXAMPLE],
  pagination: { limit: 100, offset: 0, hasMore: false },
  usageAsOf: '2026-11-24T02:30:00.000Z',
};

const listKeysDocs: Operation = {
  id: 'listKeys',
  tag: 'API keys',
  summary: 'List the API keys of the account',
  description: 'Newest first, without the secrets. Needs an ADMIN key, or a wallet sign-in for its own account.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    {
      name: 'limit',
      in: 'query',
      required: false,
      description: 'Keys per page, 1 to 100; 100 by default',
      schema: z.int().min(1).max(100),
    },
    {
      name: 'offset',
      in: 'query',
      required: false,
      description: 'Number of keys to skip; 0 by default',
      schema: z.int().min(0).max(1_000_000),
    },
    {
      name: 'includeRevoked',
      in: 'query',
      required: false,
      description: 'true includes revoked keys',
      schema: z.enum(['true', 'false']),
    },
  ],
  responses: {
    200: { description: 'A page of keys', schema: keyPageSchema, examples: { keys: KEY_PAGE_EXAMPLE } },
    400: {
      description: 'A parameter is not valid',
      schema: detailedErrorSchema,
      examples: { limit: faultyField('limit', 'Must be from 1 to 100') },
    },
    ...KEY_REFUSALS,
    429: TOO_MANY,
    503: NO_STORE,
  },
};

const revokeKeyDocs: Operation = {
  id: 'revokeKey',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'Permanent, from the next request of the key on. Needs an ADMIN key, which can also revoke itself, or a wallet sign-in of the same account. Revoking a revoked key gives the same answer.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    {
      name: 'id',
      in: 'query',
      required: true,
      description: 'Id of the key, from the list',
      schema: z.string(),
      example: '17',
    },
  ],
  responses: {
    200: { description: 'The key is revoked', schema: succeededSchema, examples: { revoked: { success: true } } },
    400: {
      description: 'No id',
      schema: detailedErrorSchema,
      examples: { missing: faultyField('id', 'It is missing and must be the id of the key to revoke') },
    },
    ...KEY_REFUSALS,
    404: NO_SUCH_KEY,
    429: TOO_MANY,
    503: NO_STORE,
  },
};

const changeKeyDocs: Operation = {
  id: 'changeKey',
  tag: 'API keys',
  summary: 'Change the scope, prepaid limit or alert of an API key',
  description:
    'Sets what the key may be used for, how much prepaid balance it may spend, and when the owner is alerted. Omitted fields stay unchanged; null removes a setting. ' +
    'Needs an ADMIN key or a wallet sign-in of the same account; prepaidLimitUsd needs a wallet sign-in. An ADMIN key cannot change itself, and cannot give another key more than it has itself. Gateways that share a database apply the change within a minute.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    {
      name: 'id',
      in: 'query',
      required: true,
      description: 'Id of the key, from the list',
      schema: z.string(),
      example: '17',
    },
  ],
  body: {
    schema: keyBudgetSchema,
    examples: {
      bounded: {
        allow: { endpoints: ['rpc'], networks: ['base-mainnet'] },
        alert: { usd: 8, webhookUrl: 'https://example.org/turnpike' },
      },
      prepaid: { prepaidLimitUsd: 5 },
    },
  },
  responses: {
    200: {
      description: 'The changed key',
      schema: changedKeySchema,
      examples: { changed: { success: true, data: KEY_PAGE_EXAMPLE.data[0] } },
    },
    400: {
      description: 'A field is not valid',
      schema: detailedErrorSchema,
      examples: { amount: faultyField('prepaidLimitUsd', 'Must be a number from 0, or null') },
    },
    ...KEY_REFUSALS,
    403: {
      ...KEY_REFUSALS[403],
      description: 'An INFERENCE key, or an ADMIN key that would change itself or exceed its own bounds',
    },
    404: NO_SUCH_KEY,
    ...JSON_REFUSALS,
    429: TOO_MANY,
    503: NO_STORE,
  },
};

const BODY_BYTES_MAX = 64 * 1024;

const PAGE_MAX = 100;

const OFFSET_MAX = 1_000_000;

const pageSchema = z.object({
  limit: wholeNumber(1, PAGE_MAX).default(PAGE_MAX),
  offset: wholeNumber(0, OFFSET_MAX).default(0),
  includeRevoked: z
    .enum(['true', 'false'], 'Must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
});

const revocationSchema = z.object({
  id: z
    .string('It is missing and must be the id of the key to revoke')
    .min(1, 'It is empty and must be the id of the key to revoke'),
});

export const apiKeysRoute: Route = {
  path: '/api/v1/api_keys',
  docs: { GET: listKeysDocs, POST: makeKeyDocs, PATCH: changeKeyDocs, DELETE: revokeKeyDocs },
};

/**
 * GET /api_keys lists the keys of the caller's account, and POST creates a key. PATCH /api_keys?id= changes a key's
 * scope, prepaid limit or alert, and DELETE revokes it.
 */
export function apiKeys({
  webhooks,
  meter,
  networks,
  ...holders
}: {
  auth: Auth;
  db: Database;
  meter: Pick<Meter, 'keyChanged'>;
  networks: Pick<RpcNetworks, 'described'>;
  webhooks: Webhooks;
  now: () => number;
}): Endpoint {
  const { auth, db, now } = holders;
  /** Changes a key under a lock, if the caller's own key has not been revoked in the meantime. */
  const changed = (
    id: number,
    { accountId, apiKeyId }: KeyHolder,
    decide: (key: ApiKey, by: ApiKey | null) => KeyChange,
  ): Promise<ApiKey> =>
    askStore(() =>
      changeApiKey(db, id, apiKeyId, (key, by) => {
        if (apiKeyId !== null) requireKeyHolder(by, now());
        if (!key || key.accountId !== accountId) throw apiError('API_KEY_NOT_FOUND');
        return decide(key, by);
      }),
    );
  return {
    ...apiKeysRoute,
    GET: async (call) => {
      const { accountId } = await keyHolderOf(call, holders);
      const { limit, offset, includeRevoked } = readQuery(call, pageSchema);
      const at = now();
      const page: KeyPage = {
        success: true,
        data: [],
        pagination: { limit, offset, hasMore: false },
        usageAsOf: new Date(at).toISOString(),
      };
      if (accountId === null) return json(page);
      const keys = await askStore(() => pageOfApiKeys(db, accountId, { limit: limit + 1, offset, includeRevoked }));
      const usage = await askStore(() => readKeyUsage(db, accountId, at));
      const alerts = await askStore(() =>
        lastAlerts(
          db,
          keys.map(({ id }) => id),
        ),
      );
      page.data = keys.slice(0, limit).map((key) => showListedKey(key, usage.of(key), alerts.get(key.id) ?? null));
      page.pagination.hasMore = keys.length > limit;
      page.usageAsOf = new Date(usage.asOf).toISOString();
      return json(page);
    },
    POST: (call) => makeKey(call, { networks, webhooks, ...holders }),
    PATCH: async (call) => {
      const holder = await keyHolderOf(call, holders);
      const id = idOf(call);
      const before = await askStore(() => findApiKey(db, id));
      if (!before || before.accountId !== holder.accountId) throw apiError('API_KEY_NOT_FOUND');
      const request = await readJson(call, keyBudgetSchema, BODY_BYTES_MAX);
      if (request.allow) checkAllowedNetworks(request.allow, networks.described());
      if (request.prepaidLimitUsd !== undefined && holder.apiKeyId !== null)
        throw apiError('FORBIDDEN', {
          message: "Only a wallet sign-in can let a key spend the wallet's prepaid balance.",
          hint: 'Sign in with the wallet (SIGN-IN-WITH-X).',
        });
      const change = changeOf(request, webhooks.config);
      // Checks the credential again, because a sign-in may have expired while the body arrived.
      await auth.identifyCredential(call);
      const key = await changed(id, holder, (target, by) => {
        if (by) requireMayChange(by, target, change);
        return change;
      });
      meter.keyChanged(key.id);
      const secret = key.webhookUrl === null ? {} : { webhookSecret: webhooks.sender.secretOf(key.id) };
      return {
        ...json({
          success: true,
          data: { ...(await showKey(db, key, now())), ...secret },
        }),
        isVerbatim: true,
      };
    },
    DELETE: async (call) => {
      const holder = await keyHolderOf(call, holders);
      const key = await changed(idOf(call), holder, ({ revokedAt }) => ({ revokedAt: revokedAt ?? now() }));
      meter.keyChanged(key.id);
      return json({ success: true });
    },
  };
}

function changeOf({ allow, prepaidLimitUsd, alert }: KeyBudgetRequest, config: Webhooks['config']): Partial<KeyBudget> {
  return {
    ...(allow !== undefined && { allow }),
    ...(prepaidLimitUsd !== undefined && {
      limitPrepaidNano: prepaidLimitUsd === null ? null : nanoUsdOfNumber(prepaidLimitUsd),
    }),
    ...(alert !== undefined && alertOf(alert, config)),
  };
}

function idOf(call: Call): number {
  return keyIdOf(readQuery(call, revocationSchema).id);
}

function wholeNumber(min: number, max: number) {
  const fault = `Must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, fault)
    .transform(Number)
    .refine((value) => value >= min && value <= max, fault);
}
