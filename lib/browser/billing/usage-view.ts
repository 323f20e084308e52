import { type ChargeQuery, type RequestQuery, SOLD } from '@/lib/client';
import { firstDayOf } from './days';

/** Periods of the Usage page, in days up to today (UTC). */
export const PERIODS = [1, 7, 30, 90, 365] as const;
export type Period = (typeof PERIODS)[number];

export const LISTS = ['charges', 'requests', 'failed'] as const;
export type ListName = (typeof LISTS)[number];

/** Filters of the Usage page. The address contains them, so that users can share a view. */
export interface UsageView {
  days: Period;
  resource: string;
  /** Key id; empty for any. */
  key: string;
  /** Request id; empty for all. */
  request: string;
  list: ListName;
}

const DEFAULT_DAYS: Period = 30;
const RESOURCE_CHARACTERS_MAX = 200;

/** Reads the filters from an address. Ignores invalid ones. */
export function readUsageView(search: Pick<URLSearchParams, 'get'>): UsageView {
  const request = readRequestId(search.get('request') ?? '') ?? '';
  const resource = search.get('resource') ?? '';
  const key = search.get('key') ?? '';
  return {
    days: PERIODS.find((days) => String(days) === search.get('days')) ?? (request === '' ? DEFAULT_DAYS : 365),
    resource: resource.length <= RESOURCE_CHARACTERS_MAX && !/\p{C}/u.test(resource) ? resource : '',
    key: /^[1-9]\d{0,14}$/.test(key) ? key : '',
    request,
    list: LISTS.find((list) => list === search.get('list')) ?? 'charges',
  };
}

/** Parses a pasted request id, without spaces and quotes; null if it is invalid. */
export function readRequestId(text: string): string | null {
  const id = text
    .slice(0, 200)
    .trim()
    .replace(/^x-request-id:\s*/i, '')
    .replace(/^["'`]|["'`]$/g, '');
  return /^[\w.:-]{1,64}$/.test(id) ? id : null;
}

/** Returns the address of a view, without default filters. */
export function usageHref({ days, resource, key, request, list }: Partial<UsageView>): string {
  const search = new URLSearchParams();
  if (request) search.set('request', request);
  if (days !== undefined && days !== (request ? 365 : DEFAULT_DAYS)) search.set('days', String(days));
  if (resource) search.set('resource', resource);
  if (key) search.set('key', key);
  if (list !== undefined && list !== 'charges') search.set('list', list);
  const query = search.toString();
  return query === '' ? '/usage' : `/usage?${query}`;
}

/** Returns the query for a view's sums. The gateway cannot filter sums by request. */
export function sumsQueryOf({ days, resource, key }: UsageView): Omit<ChargeQuery, 'requestId'> {
  return {
    startDate: firstDayOf(days),
    ...(resource === '' ? {} : { resource }),
    ...(key === '' ? {} : { apiKeyId: key }),
  };
}

export function chargesQueryOf(view: UsageView): ChargeQuery {
  return view.request === '' ? sumsQueryOf(view) : { ...sumsQueryOf(view), requestId: view.request };
}

export function requestsQueryOf({ days, resource, key, request, list }: UsageView): RequestQuery {
  return {
    startDate: firstDayOf(days),
    ...resourceQuery(resource),
    ...(key === '' ? {} : { apiKeyId: key }),
    ...(request === '' ? {} : { requestId: request }),
    ...(request === '' && list === 'failed' ? { status: 'failed' } : {}),
  };
}

/** Converts a charge's resource, such as `rpc/base-mainnet` or `chat/guide`, to query fields. */
function resourceQuery(resource: string): RequestQuery {
  const slash = resource.indexOf('/');
  const product = SOLD.find((each) => each === resource.slice(0, slash));
  if (product === undefined) return {};
  const name = resource.slice(slash + 1);
  return { product, ...(product === 'rpc' ? { network: name } : { model: name }) };
}
