import { z } from 'zod';
import { DAY_MS, epochAt, epochEnd } from '@/lib/protocol/allocation/epoch';
import { GROUPINGS } from '../../billing/usage/sum-charges';

const PERIOD_DAYS = 30;
const PERIOD_DAYS_MAX = 366;
/** Skipping costs what is skipped: further back leads the cursor. */
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
    .regex(/^[1-9][0-9]{0,14}$/, 'Must be a whole number from 1')
    .transform(Number)
    .refine((value) => value <= max, `Must be at most ${max}`);
const cursor = z
  .string()
  .regex(/^[0-9]{1,15}-[0-9]{1,15}$/, 'Must be a nextCursor of an earlier page')
  .transform((text) => text.split('-').map(Number) as [number, number])
  .transform(([at, id]) => ({ at, id }));

/** The query of GET /billing/usage, each parameter with what it means. */
export const usageParameters = {
  startDate: time
    .optional()
    .describe(`From this time on, the date's first moment included; ${PERIOD_DAYS} days before the end unless given`),
  endDate: time.optional().describe('Up to this time, not included; a date is included whole. Now unless given'),
  limit: wholeNumber(500).default(50).describe('Charges of a page'),
  page: wholeNumber(SKIP_MAX)
    .default(1)
    .describe('Which page, while page and limit lead no further back than 10,000 charges'),
  cursor: cursor
    .optional()
    .describe(
      'The nextCursor of the page before: leads as far back as there are charges, and new ones do not shift it',
    ),
  resource: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only charges for this resource, such as rpc/ethereum-mainnet'),
  apiKeyId: wholeNumber(Number.MAX_SAFE_INTEGER).optional().describe('Only charges of this key'),
  requestId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Only the charge of this request, by the X-Request-ID header of its answer; not with groupBy'),
  groupBy: z
    .enum(GROUPINGS)
    .optional()
    .describe('Sums by day (UTC), resource or key instead of single charges, with how each pot moved'),
};

export const usageQuery = z
  .object(usageParameters)
  .superRefine(({ page, limit, cursor: after, requestId, groupBy }, context) => {
    if ((page - 1) * limit > SKIP_MAX)
      context.addIssue({
        code: 'custom',
        path: ['page'],
        message: 'Leads too far back: follow nextCursor, or narrow the dates',
      });
    if (requestId !== undefined && groupBy !== undefined)
      context.addIssue({ code: 'custom', path: ['requestId'], message: 'Cannot be given beside groupBy' });
    if (after && page > 1)
      context.addIssue({ code: 'custom', path: ['page'], message: 'Cannot be given beside cursor' });
  });

/**
 * The period that a query names, Unix milliseconds, the end not included.
 * @returns null where it ends before it starts, or is longer than 366 days.
 */
export function periodOf(
  { startDate, endDate }: Pick<z.output<typeof usageQuery>, 'startDate' | 'endDate'>,
  now: number,
): { from: number; until: number } | null {
  const end = endDate === undefined ? null : parseTime(endDate);
  // What is charged in this millisecond counts: the end is the next.
  const until = end === null ? now + 1 : DATE.test(endDate as string) ? epochEnd(epochAt(end)) : end;
  const from = (startDate === undefined ? null : parseTime(startDate)) ?? until - PERIOD_DAYS * DAY_MS;
  return from < until && until - from <= PERIOD_DAYS_MAX * DAY_MS + 1 ? { from, until } : null;
}

function parseTime(text: string): number | null {
  if (!DATE.test(text) && !TIME.test(text)) return null;
  const at = Date.parse(text);
  // The parser rolls a day that its month does not have over into the next.
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at) || Number.isNaN(day) || at < 0 || !new Date(day).toISOString().startsWith(text.slice(0, 10)))
    return null;
  return at;
}
