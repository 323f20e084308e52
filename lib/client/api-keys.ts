import type { z } from 'zod';
import type { keyBudgetSchema } from '@/lib/protocol/api-keys/key-budget';
import type { changedKeySchema, KeyPage, ListedKey } from '@/lib/protocol/api-keys/terms';
import { type CallOptions, exchanger, type TurnpikeClientOptions } from './exchange';

export type { KeyPage, ListedKey };

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

/** Lists the keys of the account, newest first, without their secrets. Needs an ADMIN key or a wallet's sign-in. */
export async function listKeys(options: TurnpikeClientOptions, { signal, limit, offset, includeRevoked }: KeyListOptions = {}): Promise<KeyPage> {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (offset !== undefined) query.set('offset', String(offset));
  if (includeRevoked !== undefined) query.set('includeRevoked', String(includeRevoked));
  const path = query.size === 0 ? KEYS_PATH : `${KEYS_PATH}?${query.toString()}`;
  const { body } = await exchanger(options)('GET', path, signal ? { signal } : {});
  return body as KeyPage;
}

/** What is to change about a key: what is left out stays, null takes it away. */
export type KeyBudget = z.input<typeof keyBudgetSchema>;

/** A key as it is after a change, and with what its webhook's messages are signed. */
export type ChangedKey = z.output<typeof changedKeySchema>['data'];

/** Bounds a key, or has its owner told what it spends. Needs an ADMIN key, or a wallet's sign-in, which alone lets it spend what the wallet prepaid. */
export async function changeKey(options: TurnpikeClientOptions, id: string, budget: KeyBudget, callOptions: CallOptions = {}): Promise<ChangedKey> {
  const { body } = await exchanger(options)('PATCH', `${KEYS_PATH}?${new URLSearchParams({ id }).toString()}`, { ...callOptions, requestText: JSON.stringify(budget) });
  return (body as { data: ChangedKey }).data;
}

/** Ends a key for good, with its next request; once more does no harm. Needs an ADMIN key or a wallet's sign-in. */
export async function revokeKey(options: TurnpikeClientOptions, id: string, callOptions?: CallOptions): Promise<void> {
  await exchanger(options)('DELETE', `${KEYS_PATH}?${new URLSearchParams({ id }).toString()}`, callOptions);
}
