import { type ChargeQuery, type ChargeSums, type RequestQuery, SOLD } from '@/lib/client';
import { epochAt, epochName } from '@/lib/protocol/allocation/epoch';

/** Periods in days, each of which ends today (UTC). */
export const PERIODS = [1, 7, 30, 90, 365] as const;
export type Period = (typeof PERIODS)[number];

export const TABS = ['cost', 'requests', 'tokens', 'latency'] as const;
export type Tab = (typeof TABS)[number];

export const STACKS = ['product', 'model', 'network', 'key', 'status'] as const;
export type Stack = (typeof STACKS)[number];

/** Groups into which each tab can split its bars. Charges have no status, and RPC calls have no tokens. */
export const STACKS_OF: Readonly<Record<Tab, readonly Stack[]>> = {
  cost: ['product', 'model', 'network', 'key'],
  requests: STACKS,
  tokens: ['product', 'model', 'key', 'status'],
  latency: STACKS,
};

export const LISTS = ['requests', 'errors', 'charges'] as const;
export type ListName = (typeof LISTS)[number];

/** Filters of the Usage page. The URL contains them. */
export interface UsageView {
  days: Period;
  /** Single day such as `2026-11-21`; empty for the whole period. */
  day: string;
  tab: Tab;
  by: Stack;
  product: string;
  resource: string;
  key: string;
  /** Status such as `429` or `interrupted`; empty for any. */
  status: string;
  request: string;
  list: ListName;
}

const DEFAULT_DAYS: Period = 30;
const RESOURCE_CHARACTERS_MAX = 200;

/** Parses the filters in a URL. Ignores invalid filters. */
export function readUsageView(search: Pick<URLSearchParams, 'get'>): UsageView {
  const request = readRequestId(search.get('request') ?? '') ?? '';
  const resource = search.get('resource') ?? '';
  const tab = TABS.find((each) => each === search.get('tab')) ?? 'cost';
  const status = matching(/^(?:[2-5]\d\d|interrupted)$/, search.get('status'));
  const list = LISTS.find((each) => each === search.get('list')) ?? 'requests';
  return {
    days: PERIODS.find((days) => String(days) === search.get('days')) ?? (request === '' ? DEFAULT_DAYS : 365),
    day: readDay(search.get('day')),
    tab,
    by: STACKS_OF[tab].find((each) => each === search.get('by')) ?? 'product',
    product: SOLD.find((each) => each === search.get('product')) ?? '',
    resource: resource.length <= RESOURCE_CHARACTERS_MAX && !/\p{C}/u.test(resource) ? resource : '',
    key: matching(/^[1-9]\d{0,14}$/, search.get('key')),
    status,
    request,
    // The Errors list is itself a filter by status, so a view with a status shows the list of requests instead.
    list: status !== '' && list === 'errors' ? 'requests' : list,
  };
}

function matching(pattern: RegExp, text: string | null): string {
  return text !== null && pattern.test(text) ? text : '';
}

function readDay(text: string | null): string {
  const day = matching(/^20\d\d-[01]\d-[0-3]\d$/, text);
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? '' : day;
}

/** Parses a pasted request id. Ignores spaces and quotes; returns null if the id is invalid. */
export function readRequestId(text: string): string | null {
  const id = text
    .slice(0, 200)
    .trim()
    .replace(/^x-request-id:\s*/i, '')
    .replace(/^["'`]|["'`]$/g, '');
  return /^[\w.:-]{1,64}$/.test(id) ? id : null;
}

/** Returns the URL of a view. Leaves out filters that have their default value. */
export function usageHref(view: Partial<UsageView>): string {
  const search = new URLSearchParams();
  const { days, day, tab = 'cost', by, product, resource, key, status, request, list } = view;
  if (request) search.set('request', request);
  if (tab !== 'cost') search.set('tab', tab);
  if (by !== undefined && by !== 'product' && STACKS_OF[tab].includes(by)) search.set('by', by);
  if (days !== undefined && days !== (request ? 365 : DEFAULT_DAYS)) search.set('days', String(days));
  if (day) search.set('day', day);
  if (product) search.set('product', product);
  if (resource) search.set('resource', resource);
  if (key) search.set('key', key);
  if (status) search.set('status', status);
  if (list !== undefined && list !== 'requests') search.set('list', list);
  const query = search.toString();
  return query === '' ? '/usage' : `/usage?${query}`;
}

/** A single day is plotted by hour. */
export function isByHour({ days, day }: Pick<UsageView, 'days' | 'day'>): boolean {
  return day !== '' || days === 1;
}

function periodQuery({ days, day }: UsageView): { startDate: string; endDate?: string } {
  return day === '' ? { startDate: firstDayOf(days) } : { startDate: day, endDate: day };
}

/**
 * Returns the query for each balance's changes in a period. Applies no other filter, because a filter would hide some
 * changes.
 */
export function balancesQueryOf(view: UsageView): ChargeQuery {
  return periodQuery(view);
}

export function chargesQueryOf(view: UsageView): ChargeQuery {
  const { product, resource, key, request } = view;
  return {
    ...periodQuery(view),
    ...(product === '' ? {} : { product }),
    ...(resource === '' ? {} : { resource }),
    ...(key === '' ? {} : { apiKeyId: key }),
    ...(request === '' ? {} : { requestId: request }),
  };
}

/**
 * Returns the query for the requests of a view.
 * @param isList false for a plot, which shows successful requests even while the page lists errors
 */
export function requestsQueryOf(view: UsageView, isList = true): RequestQuery {
  const { product, resource, key, status, request, list } = view;
  return {
    ...periodQuery(view),
    ...(product === '' ? {} : { product }),
    ...resourceQuery(resource),
    ...(key === '' ? {} : { apiKeyId: key }),
    ...(request === '' ? {} : { requestId: request }),
    ...(status === '' ? {} : { status }),
    ...(isList && request === '' && status === '' && list === 'errors' ? { status: 'failed' } : {}),
  };
}

function resourceQuery(resource: string): RequestQuery {
  const slash = resource.indexOf('/');
  const product = SOLD.find((each) => each === resource.slice(0, slash));
  if (product === undefined) return {};
  const name = resource.slice(slash + 1);
  return { product, ...(product === 'rpc' ? { network: name } : { model: name }) };
}

const DAYS_MAX = 367;

/** Returns the first day, such as `2026-11-21`, of a period of `days` days that ends today (UTC). */
export function firstDayOf(days: number): string {
  return epochName(epochAt(Date.now()) - (days - 1));
}

/** Returns the charges of each UTC day in the period, oldest first. `usd` is a float, for drawing only. */
export function daysOf({
  startDate,
  endDate,
  data,
}: Pick<ChargeSums, 'startDate' | 'endDate' | 'data'>): { day: string; usd: number; charges: number }[] {
  const byDay = new Map(data.map((sum) => [sum.group, sum]));
  const days: { day: string; usd: number; charges: number }[] = [];
  const last = epochAt(Date.parse(endDate) - 1);
  for (let epoch = epochAt(Date.parse(startDate)); epoch <= last && days.length < DAYS_MAX; epoch++) {
    const day = epochName(epoch);
    const sum = byDay.get(day);
    days.push({ day, usd: Number(sum?.amount ?? 0), charges: sum?.charges ?? 0 });
  }
  return days;
}
