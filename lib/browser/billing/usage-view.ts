import type { ChargeQuery } from '@/lib/client';
import { firstDayOf } from './days';

/** The periods that the Usage page offers, in days up to today (UTC). */
export const PERIODS = [1, 7, 30, 90, 365] as const;
export type Period = (typeof PERIODS)[number];

/** What the Usage page is narrowed to. It stands in the address, so that a view can be shared and gone back to. */
export interface UsageView {
  days: Period;
  /** Empty for any. */
  resource: string;
  /** Id of a key; empty for any. */
  key: string;
  /** Id of one request; empty for all. */
  request: string;
}

const DEFAULT_DAYS: Period = 30;
const RESOURCE_CHARACTERS_MAX = 200;

/** Reads an address. What it does not understand counts as not given. */
export function readUsageView(search: Pick<URLSearchParams, 'get'>): UsageView {
  const request = readRequestId(search.get('request') ?? '') ?? '';
  const resource = search.get('resource') ?? '';
  const key = search.get('key') ?? '';
  return {
    // A request may be long ago.
    days: PERIODS.find((days) => String(days) === search.get('days')) ?? (request === '' ? DEFAULT_DAYS : 365),
    resource: resource.length <= RESOURCE_CHARACTERS_MAX && !/\p{C}/u.test(resource) ? resource : '',
    key: /^[1-9]\d{0,14}$/.test(key) ? key : '',
    request,
  };
}

/** A request's id as somebody pasted it, spaces and quotes around it gone; null for what is none. */
export function readRequestId(text: string): string | null {
  const id = text
    .slice(0, 200)
    .trim()
    .replace(/^x-request-id:\s*/i, '')
    .replace(/^["'`]|["'`]$/g, '');
  return /^[\w.:-]{1,64}$/.test(id) ? id : null;
}

/** The address of a view, from the root: without what every view has. */
export function usageHref({ days, resource, key, request }: Partial<UsageView>): string {
  const search = new URLSearchParams();
  if (request) search.set('request', request);
  if (days !== undefined && days !== (request ? 365 : DEFAULT_DAYS)) search.set('days', String(days));
  if (resource) search.set('resource', resource);
  if (key) search.set('key', key);
  const query = search.toString();
  return query === '' ? '/usage' : `/usage?${query}`;
}

/** What the gateway is asked for a view's sums: a request has none, so that they are those of its period. */
export function sumsQueryOf({ days, resource, key }: UsageView): Omit<ChargeQuery, 'requestId'> {
  return {
    startDate: firstDayOf(days),
    ...(resource === '' ? {} : { resource }),
    ...(key === '' ? {} : { apiKeyId: key }),
  };
}

/** What the gateway is asked for a view's charges. */
export function chargesQueryOf(view: UsageView): ChargeQuery {
  return view.request === '' ? sumsQueryOf(view) : { ...sumsQueryOf(view), requestId: view.request };
}
