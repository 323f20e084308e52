import type { z } from 'zod';
import type { keyBudgetSchema } from '@/lib/protocol/api-keys/key-budget';
import type { Privacy } from '@/lib/protocol/api-keys/key-scope';
import type {
  ApiKeyType,
  changedKeySchema,
  KeyPage as AnsweredKeyPage,
  LimitPeriod,
  ListedKey,
} from '@/lib/protocol/api-keys/terms';
import { flag, list, nullable, number, object, oneOf, optional, type Schema, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { SOLD } from './sold';

export type { ListedKey };
export type KeyPage = Omit<AnsweredKeyPage, 'success'>;

export const KEYS_PATH = '/api/v1/api_keys';

export interface KeyListOptions extends CallOptions {
  /** Keys per page, 1 to 100. Default: 100. */
  limit?: number;
  offset?: number;
  includeRevoked?: boolean;
}

const KEY_TYPES = ['INFERENCE', 'ADMIN'] as const satisfies readonly ApiKeyType[];
const LIMIT_PERIODS = ['EPOCH', 'MONTH', 'LIFETIME'] as const satisfies readonly LimitPeriod[];
const PRIVACY_LEVELS = ['attested', 'encrypted'] as const satisfies readonly Privacy[];

const spent = object({ usd: number, diem: number });
const alert = object({
  usd: number,
  webhookUrl: nullable(text),
  last: nullable(
    object({
      period: text,
      spentUsd: number,
      reachedAt: text,
      deliveredAt: nullable(text),
      attempts: number,
      nextAttemptAt: nullable(text),
      error: nullable(text),
    }),
  ),
});
const keyScope = object({
  endpoints: optional(list(oneOf(SOLD))),
  networks: optional(list(text)),
  models: optional(list(text)),
  privacy: optional(oneOf(PRIVACY_LEVELS)),
});
const keyLimit = object({ usd: nullable(number), diem: nullable(number) });
const listedKey = {
  id: text,
  apiKeyType: oneOf(KEY_TYPES),
  description: text,
  last6Chars: text,
  consumptionLimit: keyLimit,
  limitPeriod: oneOf(LIMIT_PERIODS),
  usage: object({ currentPeriod: spent, total: spent }),
  allow: nullable(keyScope),
  prepaidLimitUsd: nullable(number),
  alert: nullable(alert),
  createdAt: text,
  lastUsedAt: nullable(text),
  expiresAt: nullable(text),
  revokedAt: nullable(text),
};
const keyPage: Schema<KeyPage> = object({
  data: list(object(listedKey)),
  pagination: object({ limit: number, offset: number, hasMore: flag }),
  usageAsOf: text,
});
const changedKey: Schema<{ data: ChangedKey }> = object({
  data: object({ ...listedKey, webhookSecret: optional(text) }),
});

/** Lists the account's API keys, newest first, without secrets. Needs an ADMIN key or a wallet sign-in. */
export async function listKeys(
  options: TurnpikeClientOptions,
  { signal, limit, offset, includeRevoked }: KeyListOptions = {},
): Promise<KeyPage> {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (offset !== undefined) query.set('offset', String(offset));
  if (includeRevoked !== undefined) query.set('includeRevoked', String(includeRevoked));
  const path = query.size === 0 ? KEYS_PATH : `${KEYS_PATH}?${query.toString()}`;
  return fitting(keyPage, await exchanger(options)('GET', path, signal ? { signal } : {}));
}

/** Changes to an API key. An absent field keeps its value; null removes the value. */
export type KeyBudget = z.input<typeof keyBudgetSchema>;

/** Changed API key, with the signing secret of its webhook. */
export type ChangedKey = z.output<typeof changedKeySchema>['data'];

/**
 * Changes an API key's scope, prepaid limit or alert. Needs an ADMIN key or a wallet sign-in. Only a sign-in can allow
 * prepaid spending.
 */
export async function changeKey(
  options: TurnpikeClientOptions,
  id: string,
  budget: KeyBudget,
  callOptions: CallOptions = {},
): Promise<ChangedKey> {
  return (
    await fitting(
      changedKey,
      await exchanger(options)('PATCH', `${KEYS_PATH}?${new URLSearchParams({ id }).toString()}`, {
        ...callOptions,
        requestText: JSON.stringify(budget),
      }),
    )
  ).data;
}

/** Revokes an API key permanently, from the next request on. Needs an ADMIN key or a wallet sign-in. */
export async function revokeKey(options: TurnpikeClientOptions, id: string, callOptions?: CallOptions): Promise<void> {
  await exchanger(options)('DELETE', `${KEYS_PATH}?${new URLSearchParams({ id }).toString()}`, callOptions);
}
