import type { KeyPage, ListedKey } from '@/lib/protocol/api-keys/terms';
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

/** Ends a key for good, with its next request; once more does no harm. Needs an ADMIN key or a wallet's sign-in. */
export async function revokeKey(options: TurnpikeClientOptions, id: string, callOptions?: CallOptions): Promise<void> {
  await exchanger(options)('DELETE', `${KEYS_PATH}?${new URLSearchParams({ id }).toString()}`, callOptions);
}
