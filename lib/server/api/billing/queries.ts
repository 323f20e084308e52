import { DAY_MS, epochAt, epochEnd } from '@/lib/protocol/allocation/epoch';
import { SOLD } from '@/lib/protocol/api-keys/key-scope';
import { apiError } from '@/lib/protocol/errors';
import { z } from 'zod';
import type { RequestFilter } from '../../billing/requests/list-requests';
import { INTERRUPTED, REQUEST_PERIODS, REQUEST_SPLITS } from '../../billing/requests/sum-requests';
import { CHARGE_SPLITS } from '../../billing/usage/split-charges';
import { GROUPINGS } from '../../billing/usage/sum-charges';

const PERIOD_DAYS = 30;
const PERIOD_DAYS_MAX = 366;
/** Maximum number of rows that `page` may skip. The database reads each skipped row. A cursor skips no rows. */
const SKIP_MAX = 10_000;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

const time = z
  .string()
  .refine(
    (text) => parseTime(text) !== null,
    'Must be a date such as 2026-11-21 (UTC) or an ISO 8601 time with its offset such as 2026-11-21T12:00:00Z',
  );
const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^[1-9][0-9]{0,14}$/, 'Must be a whole number of at least 1')
    .transform(Number)
    .refine((value) => value <= max, `Must be at most ${max}`);
/** Excludes U+0000: Postgres rejects text that contains it. */
const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\0]*$/, 'Must not contain the character U+0000');
const cursor = z
  .string()
  .regex(/^[0-9]{1,15}-[0-9]{1,15}$/, 'Must be the nextCursor of an earlier page')
  .transform((text) => text.split('-').map(Number) as [number, number])
  .transform(([at, id]) => ({ at, id }));

export const usageParameters = {
  startDate: time.optional().describe(`Start of the period, included; ${PERIOD_DAYS} days before the end by default`),
  endDate: time.optional().describe('End of the period, not included; a date includes its whole day. Now by default'),
  limit: wholeNumber(500).default(50).describe('Charges per page'),
  page: wholeNumber(SKIP_MAX)
    .default(1)
    .describe('Page number; page and limit together reach at most 10,000 charges back; not with groupBy'),
  cursor: cursor
    .optional()
    .describe(
      'The nextCursor of the page before. It reaches back to the first charge, and new charges do not shift it; not with groupBy',
    ),
  product: z
    .enum(SOLD)
    .optional()
    .describe('Only charges for resources of this product; with groupBy, it needs splitBy'),
  resource: text(200).optional().describe('Only charges for this resource, such as rpc/ethereum-mainnet'),
  apiKeyId: wholeNumber(Number.MAX_SAFE_INTEGER).optional().describe('Only charges of the API key with this id'),
  requestId: text(64).optional().describe('Only the charge of the request with this X-Request-ID; not with groupBy'),
  groupBy: z
    .enum([...GROUPINGS, 'hour'])
    .optional()
    .describe(
      'Sums by UTC day, resource or key instead of single charges, with the movement of each balance; hour needs splitBy',
    ),
  splitBy: z
    .enum(CHARGE_SPLITS)
    .optional()
    .describe('With groupBy day or hour: a sum for each resource or key of the day or hour, without balances'),
  format: z
    .enum(['json', 'csv'])
    .optional()
    .describe('json, or csv with a header line. By default, the Accept header decides'),
};

export const usageQuery = z
  .object(usageParameters)
  .superRefine(({ page, limit, cursor: after, requestId, groupBy, splitBy, product }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (splitBy !== undefined && groupBy !== 'day' && groupBy !== 'hour')
      refuse('splitBy', 'Needs groupBy day or hour');
    if (splitBy === undefined && groupBy === 'hour') refuse('groupBy', 'Needs splitBy');
    if (splitBy === undefined && groupBy !== undefined && product !== undefined) refuse('product', 'Needs splitBy');
    if ((page - 1) * limit > SKIP_MAX) refuse('page', 'Is too far back: use nextCursor, or narrow the dates');
    if (groupBy !== undefined) {
      if (requestId !== undefined) refuse('requestId', 'Cannot be combined with groupBy');
      if (after) refuse('cursor', 'Cannot be combined with groupBy');
      if (page > 1) refuse('page', 'Cannot be combined with groupBy');
    }
    if (after && page > 1) refuse('page', 'Cannot be combined with cursor');
  });

/**
 * Returns a query's period in Unix milliseconds. `until` is exclusive.
 * @returns null if the period ends before it starts, or is longer than 366 days
 */
export function periodOf(
  { startDate, endDate }: Pick<z.output<typeof usageQuery>, 'startDate' | 'endDate'>,
  now: number,
): { from: number; until: number } | null {
  const end = endDate === undefined ? null : parseTime(endDate);
  // Adds 1 to include charges of the current millisecond.
  const until = end === null ? now + 1 : DATE.test(endDate as string) ? epochEnd(epochAt(end)) : end;
  const from = (startDate === undefined ? null : parseTime(startDate)) ?? until - PERIOD_DAYS * DAY_MS;
  return from < until && until - from <= PERIOD_DAYS_MAX * DAY_MS + 1 ? { from, until } : null;
}

export function badPeriod(daysMax = PERIOD_DAYS_MAX): Error {
  const message = `The period must end after it starts and be at most ${daysMax} days long.`;
  return apiError('INVALID_REQUEST', { message, details: { _errors: [], endDate: { _errors: [message] } } });
}

function parseTime(text: string): number | null {
  if (!DATE.test(text) && !TIME.test(text)) return null;
  const at = Date.parse(text);
  // `Date.parse` accepts February 30 and returns a day in March.
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at) || Number.isNaN(day) || at < 0 || !new Date(day).toISOString().startsWith(text.slice(0, 10)))
    return null;
  return at;
}

const STATUS = /^(?:succeeded|failed|interrupted|[2-5]xx|[2-5]\d\d)$/;
const name = text(200).optional();

export const requestsParameters = {
  startDate: time.optional().describe('Start of the period, included; 30 days before the end by default'),
  endDate: time.optional().describe('End of the period, not included; a date includes its whole day. Now by default'),
  limit: wholeNumber(500).default(50).describe('Requests per page'),
  cursor: cursor.optional().describe('The nextCursor of the page before'),
  product: z.enum(SOLD).optional().describe('Only requests for this product'),
  network: name.describe('Only requests for this network, by its slug'),
  method: name.describe('Only requests of this JSON-RPC method'),
  model: name.describe('Only requests for this model'),
  status: z
    .string()
    .regex(STATUS, 'Must be succeeded, failed, interrupted, a class such as 4xx, or a status such as 429')
    .optional()
    .describe(
      'Only requests with this outcome: succeeded, failed, interrupted, a class such as 4xx, or a status such as 429',
    ),
  code: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'Must be a code of an error, such as MINUTE_CAP')
    .optional()
    .describe('Only requests that were answered with this error code'),
  apiKeyId: wholeNumber(Number.MAX_SAFE_INTEGER).optional().describe('Only requests of this key'),
  requestId: text(64).optional().describe('Only the request with this id, by the X-Request-ID header of its answer'),
  groupBy: z
    .enum(REQUEST_PERIODS)
    .optional()
    .describe('Sums by hour or day (UTC) instead of single requests; not with cursor'),
  splitBy: z
    .enum(REQUEST_SPLITS)
    .optional()
    .describe('With groupBy: a sum for each product, network, model, key or status of the hour or day'),
  format: z
    .enum(['json', 'csv'])
    .optional()
    .describe('json, or csv with a header line. By default, the Accept header decides'),
};

export const requestsQuery = z
  .object(requestsParameters)
  .superRefine(({ cursor: after, groupBy, splitBy }, context) => {
    if (after && groupBy !== undefined)
      context.addIssue({ code: 'custom', path: ['cursor'], message: 'Cannot be combined with groupBy' });
    if (splitBy !== undefined && groupBy === undefined)
      context.addIssue({ code: 'custom', path: ['splitBy'], message: 'Needs groupBy' });
  });

export function outcomeOf(status: string | undefined): Pick<RequestFilter, 'status' | 'isFailed'> {
  if (status === undefined) return {};
  if (status === 'succeeded' || status === 'failed') return { isFailed: status === 'failed' };
  if (status === INTERRUPTED) return { isFailed: true, status: [200, 399] };
  const first = Number(status.replace('xx', '00'));
  return { status: [first, status.endsWith('xx') ? first + 99 : first] };
}
