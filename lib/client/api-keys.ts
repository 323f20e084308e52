import type { z } from 'zod';
import type { keyBudgetSchema } from '@/lib/protocol/api-keys/key-budget';
import type { Sold } from '@/lib/protocol/api-keys/key-scope';
import type {
  ApiKeyType,
  changedKeySchema,
  KeyPage as AnsweredKeyPage,
  LimitPeriod,
  ListedKey,
} from '@/lib/protocol/api-keys/terms';
import { flag, list, nullable, number, object, oneOf, optional, type Schema, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

export type { ListedKey };
export type KeyPage = Omit<AnsweredKeyPage, 'success'>;

/** Where keys are listed and revoked. */
export const KEYS_PATH = '/api/v1/api_keys';

/** Which keys to list. */
export interface KeyListOptions extends CallOptions {
  /** 1 to 100; 100 unless given. */
  limit?: number;
  /** Keys to pass over; 0 unless given. */
  offset?: number;
  /** Also those that were revoked. */
  includeRevoked?: boolean;
}

export const KEY_TYPES = ['INFERENCE', 'ADMIN'] as const satisfies readonly ApiKeyType[];
export const LIMIT_PERIODS = ['EPOCH', 'MONTH', 'LIFETIME'] as const satisfies readonly LimitPeriod[];
const SOLD = ['rpc', 'chat', 'speech', 'video'] as const satisfies readonly Sold[];

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
/** What a key may be used for. */
export const keyScope = object({
  endpoints: optional(list(oneOf(SOLD))),
  networks: optional(list(text)),
  models: optional(list(text)),
});
export const keyLimit = object({ usd: nullable(number), diem: nullable(number) });
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

/** Lists the keys of the account, newest first, without their secrets. Needs an ADMIN key or a wallet's sign-in. */
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

/** What is to change about a key: what is left out stays, null takes it away. */
export type KeyBudget = z.input<typeof keyBudgetSchema>;

/** A key as it is after a change, and with what its webhook's messages are signed. */
export type ChangedKey = z.output<typeof changedKeySchema>['data'];

/** Bounds a key, or has its owner told what it spends. Needs an ADMIN key, or a wallet's sign-in, which alone lets it spend what the wallet prepaid. */
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

/** Ends a key for good, with its next request; once more does no harm. Needs an ADMIN key or a wallet's sign-in. */
export async function revokeKey(options: TurnpikeClientOptions, id: string, callOptions?: CallOptions): Promise<void> {
  await exchanger(options)('DELETE', `${KEYS_PATH}?${new URLSearchParams({ id }).toString()}`, callOptions);
}
