import { UsageError } from '@/lib/command-line/usage-error';
import { formatUsd } from '@/lib/protocol/pricing';
import { findAccount } from '../db/accounts';
import { type ApiKey, insertApiKey, listApiKeys, newApiKeySecret, revokeApiKey } from '../db/api-keys';
import { API_KEY_TYPES, LIMIT_PERIODS } from '../db/schema';
import type { StoreCommand } from './command';
import { table } from './table';
import { futureTime, oneOf, text, usd, wholeNumber } from './options';

const ID_MAX = Number.MAX_SAFE_INTEGER;

export const createKey: StoreCommand = {
  name: 'keys create',
  summary: 'Create an API key; it is shown only once',
  audited: true,
  options: {
    account: { type: 'string', value: 'ID', description: 'The account', required: true },
    type: { type: 'string', value: 'TYPE', description: 'INFERENCE (default) or ADMIN' },
    description: { type: 'string', personal: true, value: 'TEXT', description: 'Name of the key in lists' },
    expires: { type: 'string', value: 'TIME', description: 'Expiry: a date (at its end, UTC) or an ISO 8601 time' },
    'limit-usd': {
      type: 'string',
      value: 'USD',
      description: 'Maximum spending of bundled credits and USD',
    },
    'limit-diem': { type: 'string', value: 'USD', description: 'Maximum spending of the daily allocation' },
    'limit-period': { type: 'string', value: 'PERIOD', description: 'EPOCH (a day), MONTH or LIFETIME (default)' },
  },
  run: async ({ db, options }) => {
    const accountId = wholeNumber(options, 'account', ID_MAX) as number;
    if (!(await findAccount(db, accountId))) throw new UsageError(`There is no account ${accountId}.`);
    const apiKey = newApiKeySecret();
    const key = {
      accountId,
      type: oneOf(options, 'type', API_KEY_TYPES) ?? 'INFERENCE',
      description: text(options, 'description') ?? '',
      expiresAt: futureTime(options, 'expires', Date.now()),
      limitPeriod: oneOf(options, 'limit-period', LIMIT_PERIODS) ?? 'LIFETIME',
      limitUsdNano: usd(options, 'limit-usd') ?? null,
      limitDiemNano: usd(options, 'limit-diem') ?? null,
    } as const;
    const id = await insertApiKey(db, apiKey, key);
    return {
      text: `Key ${id} of account ${accountId}, shown only now:\n${apiKey}`,
      json: { id, accountId, type: key.type, apiKey },
      about: `key ${id} of account ${accountId}`,
    };
  },
};

export const listKeys: StoreCommand = {
  name: 'keys list',
  summary: 'List API keys, without their secrets',
  options: { account: { type: 'string', value: 'ID', description: 'Only of this account' } },
  run: async ({ db, options }) => {
    const keys = (await listApiKeys(db, wholeNumber(options, 'account', ID_MAX))).map(show);
    const rows = keys.map((key) => [
      String(key.id),
      String(key.accountId),
      key.type,
      `…${key.last6}`,
      key.state,
      key.limits,
      key.description,
    ]);
    return {
      text: table(['ID', 'ACCOUNT', 'TYPE', 'ENDS IN', 'STATE', 'LIMITS', 'DESCRIPTION'], rows, 'There are no keys.'),
      json: { keys },
    };
  },
};

export const revokeKey: StoreCommand = {
  name: 'keys revoke',
  summary: 'Revoke an API key permanently; its next request is refused',
  audited: true,
  options: {
    id: { type: 'string', value: 'ID', description: 'Id of the key, from `keys list`', required: true },
  },
  run: async ({ db, options }) => {
    const id = wholeNumber(options, 'id', ID_MAX) as number;
    if (!(await revokeApiKey(db, id))) throw new UsageError(`There is no live key ${id}.`);
    return { text: `Key ${id} was revoked.`, json: { id, revoked: true } };
  },
};

function show(key: ApiKey) {
  const now = Date.now();
  const limit = (nano: number | null, unit: string): string[] =>
    nano === null ? [] : [`${formatUsd(nano, 2)} ${unit}`];
  const limits = [...limit(key.limitUsdNano, 'USD'), ...limit(key.limitDiemNano, 'DIEM')];
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  return {
    id: key.id,
    accountId: key.accountId,
    type: key.type,
    last6: key.last6,
    description: key.description,
    state: key.revokedAt !== null ? 'revoked' : expired ? 'expired' : 'live',
    limits: limits.length > 0 ? `${limits.join(', ')} per ${key.limitPeriod}` : '',
    createdAt: new Date(key.createdAt).toISOString(),
    expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
    revokedAt: key.revokedAt === null ? null : new Date(key.revokedAt).toISOString(),
  };
}
