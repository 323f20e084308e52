import { sql } from 'kysely';
import type { Sold } from '@/lib/protocol/api-keys/key-scope';
import type { Database } from '../../db/schema';

/** Filter for an account's requests. Times are Unix milliseconds, and `until` is exclusive. */
export interface RequestFilter {
  accountId: number;
  from: number;
  until: number;
  product?: Sold | undefined;
  network?: string | undefined;
  method?: string | undefined;
  model?: string | undefined;
  code?: string | undefined;
  status?: readonly [from: number, to: number] | undefined;
  isFailed?: boolean | undefined;
  apiKeyId?: number | undefined;
  requestId?: string | undefined;
}

export interface AnsweredRequest {
  id: number;
  at: number;
  product: Sold;
  network: string | null;
  method: string | null;
  model: string | null;
  status: number;
  code: string | null;
  isFailed: boolean;
  durationUs: number;
  units: number;
  cost: number;
  apiKey: { id: number; last6: string; description: string } | null;
  requestId: string;
}

/**
 * Lists an account's requests, newest first.
 * @returns up to `limit` requests, and the start of the next page (null after the last page)
 */
export async function listRequests(
  db: Database,
  filter: RequestFilter,
  { limit, after }: { limit: number; after: { at: number; id: number } | null },
): Promise<{ requests: AnsweredRequest[]; next: { at: number; id: number } | null }> {
  let query = requestsOf(db, filter)
    .leftJoin('api_keys', 'api_keys.id', 'requests.api_key_id')
    .select([
      'requests.id',
      'at',
      'product',
      'network',
      'method',
      'model',
      'status',
      'code',
      'failed',
      'duration_us',
      'units',
      'cost',
      'api_key_id',
      'request_id',
      'last6',
      'description',
    ])
    .orderBy('at', 'desc')
    .orderBy('requests.id', 'desc')
    .limit(limit + 1);
  if (after) query = query.where(sql<boolean>`(at, requests.id) < (${after.at}, ${after.id})`);
  const rows = await query.execute();
  const requests = rows.slice(0, limit).map((row) => ({
    id: row.id,
    at: row.at,
    product: row.product,
    network: row.network,
    method: row.method,
    model: row.model,
    status: row.status,
    code: row.code,
    isFailed: row.failed === 1,
    durationUs: row.duration_us,
    units: row.units,
    cost: row.cost,
    apiKey:
      row.api_key_id === null
        ? null
        : { id: row.api_key_id, last6: row.last6 ?? '', description: row.description ?? '' },
    requestId: row.request_id,
  }));
  const last = requests.at(-1);
  return { requests, next: last && rows.length > limit ? { at: last.at, id: last.id } : null };
}

export function requestsOf(
  db: Database,
  { accountId, from, until, status, isFailed, apiKeyId, requestId, ...equal }: RequestFilter,
) {
  let query = db
    .selectFrom('requests')
    .where('requests.account_id', '=', accountId)
    .where('at', '>=', from)
    .where('at', '<', until);
  for (const column of ['product', 'network', 'method', 'model', 'code'] as const)
    if (equal[column] !== undefined) query = query.where(column, '=', equal[column]);
  if (status !== undefined) query = query.where('status', '>=', status[0]).where('status', '<=', status[1]);
  if (isFailed !== undefined) query = query.where('failed', '=', isFailed ? 1 : 0);
  if (apiKeyId !== undefined) query = query.where('api_key_id', '=', apiKeyId);
  if (requestId !== undefined) query = query.where('request_id', '=', requestId);
  return query;
}
