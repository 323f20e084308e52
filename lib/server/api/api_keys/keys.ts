import { z } from 'zod';
import { type KeyBudgetRequest, keyBudgetSchema } from '@/lib/protocol/api-keys/key-budget';
import { changedKeySchema, type KeyPage, keyPageSchema } from '@/lib/protocol/api-keys/terms';
import { detailedErrorSchema, standardErrorSchema, succeededSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { nanoUsdOfNumber } from '@/lib/protocol/usd-number';
import { requireKeyHolder, requireMayChange } from '../../auth/key-authority';
import { type KeyHolder, keyHolderOf } from '../../auth/minting/key-holder';
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
import { faultyField } from '../openapi/faulty-field';
import { JSON_REFUSALS } from '../openapi/refusals';
import { alertOf, type Webhooks } from './alert';
import { checkAllowedNetworks } from './allowed-networks';
import { TOO_MANY } from './docs';
import type { Auth } from '../../auth/auth';
import type { Meter } from '../../billing/meter';
import type { Database } from '../../db/schema';
import type { RpcNetworks } from '../../upstreams/nodes/networks';

const NO_STORE = {
  description: 'The gateway cannot reach its database; nothing was changed',
  schema: standardErrorSchema,
  codes: ['STORE_UNAVAILABLE', 'STORE_FULL'],
} as const;

const NOT_THEIRS = {
  401: {
    description: 'No credential, or one that is not valid',
    schema: standardErrorSchema,
    codes: ['UNAUTHORIZED', 'INVALID_API_KEY'],
  },
  403: { description: 'An INFERENCE key, which may not do this', schema: standardErrorSchema, codes: ['FORBIDDEN'] },
} as const;

const KEY_PAGE_EXAMPLE = {
  success: true,
  data: [
    {
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
    },
  ],
  pagination: { limit: 100, offset: 0, hasMore: false },
  usageAsOf: '2026-11-24T02:30:00.000Z',
};

/** GET /api_keys in the API description. */
const listKeysDocs: Operation = {
  id: 'listKeys',
  tag: 'API keys',
  summary: 'List the API keys of the account',
  description: 'Newest first, without the keys themselves. For an ADMIN key, or a wallet sign-in for its own account.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    {
      name: 'limit',
      in: 'query',
      required: false,
      description: 'Keys of a page, 1 to 100; 100 unless given',
      schema: z.int().min(1).max(100),
    },
    {
      name: 'offset',
      in: 'query',
      required: false,
      description: 'Keys to pass over; 0 unless given',
      schema: z.int().min(0).max(1_000_000),
    },
    {
      name: 'includeRevoked',
      in: 'query',
      required: false,
      description: 'true: also those that were revoked',
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
    ...NOT_THEIRS,
    429: TOO_MANY,
    503: NO_STORE,
  },
};

/** DELETE /api_keys in the API description. */
const revokeKeyDocs: Operation = {
  id: 'revokeKey',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'For good, with its next request. For an ADMIN key, which may revoke itself and every other key, or a wallet sign-in, of the same account. A key that is revoked already stays so, and the answer is the same.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    {
      name: 'id',
      in: 'query',
      required: true,
      description: 'The id that the list shows',
      schema: z.string(),
      example: '17',
    },
  ],
  responses: {
    200: { description: 'The key is revoked', schema: succeededSchema, examples: { revoked: { success: true } } },
    400: {
      description: 'No id',
      schema: detailedErrorSchema,
      examples: { missing: faultyField('id', 'It is missing, and must be the id of the key to revoke') },
    },
    ...NOT_THEIRS,
    404: {
      description: 'The account has no key with this id',
      schema: standardErrorSchema,
      codes: ['API_KEY_NOT_FOUND'],
    },
    429: TOO_MANY,
    503: NO_STORE,
  },
};

/** PATCH /api_keys in the API description. */
const changeKeyDocs: Operation = {
  id: 'changeKey',
  tag: 'API keys',
  summary: 'Bound an API key, or be told what it spends',
  description:
    'What it may be used for, what it may spend of what its wallet prepaid, and at which spending its owner is told. What is left out stays as it is; null takes it away. ' +
    'For an ADMIN key, or a wallet sign-in, of the same account; prepaidLimitUsd for a wallet sign-in only. A key changes nothing of itself, and another key only within its own bounds. Gateways that share a database know of it within a minute.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    {
      name: 'id',
      in: 'query',
      required: true,
      description: 'The id that the list shows',
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
      description: 'The key as it is now',
      schema: changedKeySchema,
      examples: { changed: { success: true, data: KEY_PAGE_EXAMPLE.data[0] } },
    },
    400: {
      description: 'A field is not valid',
      schema: detailedErrorSchema,
      examples: { amount: faultyField('prepaidLimitUsd', 'Must be a number from 0, or null') },
    },
    ...NOT_THEIRS,
    403: {
      ...NOT_THEIRS[403],
      description: 'An INFERENCE key, or an ADMIN key that would change itself or a key beyond its own bounds',
    },
    404: {
      description: 'The account has no key with this id',
      schema: standardErrorSchema,
      codes: ['API_KEY_NOT_FOUND'],
    },
    ...JSON_REFUSALS,
    429: TOO_MANY,
    503: NO_STORE,
  },
};

const BODY_BYTES_MAX = 64 * 1024;

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

const revocationSchema = z.object({
  id: z
    .string('It is missing, and must be the id of the key to revoke')
    .min(1, 'It is empty, and must be the id of the key to revoke'),
});

export const apiKeysRoute: Route = {
  path: '/api/v1/api_keys',
  docs: { GET: listKeysDocs, PATCH: changeKeyDocs, DELETE: revokeKeyDocs },
};

/** GET /api_keys: the keys of the caller's account. PATCH /api_keys?id=: bounds one of them. DELETE /api_keys?id=: revokes it. */
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
  /** Decides under a lock: what was true when the request began need not be so by now. */
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
    PATCH: async (call) => {
      const holder = await keyHolderOf(call, holders);
      const id = idOf(call);
      const before = await askStore(() => findApiKey(db, id));
      if (!before || before.accountId !== holder.accountId) throw apiError('API_KEY_NOT_FOUND');
      const request = await readJson(call, keyBudgetSchema, BODY_BYTES_MAX);
      if (request.allow) checkAllowedNetworks(request.allow, networks.described());
      if (request.prepaidLimitUsd !== undefined && holder.apiKeyId !== null)
        throw apiError('FORBIDDEN', {
          message: 'What a wallet prepaid is its own, and no key can let a key spend it.',
          hint: 'Sign in with the wallet (SIGN-IN-WITH-X).',
        });
      const change = changeOf(request, webhooks.config);
      // A sign-in may have expired while the body arrived.
      await auth.identifyCredential(call);
      const key = await changed(id, holder, (target, by) => {
        if (by) requireMayChange(by, target, change);
        return change;
      });
      meter.keyChanged(key.id);
      const usage = await askStore(() => readKeyUsage(db, key.accountId, now()));
      const alerts = await askStore(() => lastAlerts(db, [key.id]));
      const secret = key.webhookUrl === null ? {} : { webhookSecret: webhooks.sender.secretOf(key.id) };
      return {
        ...json({
          success: true,
          data: { ...showListedKey(key, usage.of(key), alerts.get(key.id) ?? null), ...secret },
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

/** What a request writes: the fields that it has, and no others. */
function changeOf({ allow, prepaidLimitUsd, alert }: KeyBudgetRequest, config: Webhooks['config']): Partial<KeyBudget> {
  return {
    ...(allow !== undefined && { allow }),
    ...(prepaidLimitUsd !== undefined && {
      limitPrepaidNano: prepaidLimitUsd === null ? null : nanoUsdOfNumber(prepaidLimitUsd),
    }),
    ...(alert !== undefined && alertOf(alert, config)),
  };
}

/** @throws ApiError 404 for what is no id of any key. */
function idOf(call: Call): number {
  const { id } = readQuery(call, revocationSchema);
  if (!KEY_ID.test(id)) throw apiError('API_KEY_NOT_FOUND');
  return Number(id);
}

function wholeNumber(min: number, max: number) {
  const fault = `Must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, fault)
    .transform(Number)
    .refine((value) => value >= min && value <= max, fault);
}
