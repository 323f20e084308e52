import { z } from 'zod';
import { SOLD } from '@/lib/protocol/api-keys/key-scope';
import type { RequestFilter } from '../../billing/requests/list-requests';
import { INTERRUPTED, REQUEST_PERIODS, REQUEST_SPLITS } from '../../billing/requests/sum-requests';
import { cursor, time, wholeNumber } from './usage-query';

const STATUS = /^(?:succeeded|failed|interrupted|[2-5]xx|[2-5]\d\d)$/;
const name = z.string().min(1).max(200).optional();

export const requestsParameters = {
  startDate: time
    .optional()
    .describe("From this time on, the date's first moment included; 30 days before the end unless given"),
  endDate: time.optional().describe('Up to this time, not included; a date is included whole. Now unless given'),
  limit: wholeNumber(500).default(50).describe('Requests of a page'),
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
  requestId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Only the request with this id, by the X-Request-ID header of its answer'),
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
    .describe('json, or csv with a header line. As the Accept header prefers unless given'),
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
