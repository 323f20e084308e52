import { z } from 'zod';
import { SOLD } from '@/lib/protocol/api-keys/key-scope';
import { requestsCsv } from '@/lib/protocol/billing/usage-csv';
import { detailedErrorSchema } from '@/lib/protocol/error-bodies';
import { csvText } from '@/lib/protocol/csv';
import { formatUsd } from '@/lib/protocol/pricing';
import type { Auth } from '../../auth/auth';
import { type AnsweredRequest, listRequests, type RequestFilter } from '../../billing/requests/list-requests';
import { REQUEST_PERIODS, REQUEST_SPLITS, type RequestSum, sumRequests } from '../../billing/requests/sum-requests';
import { type KeyName, nameKeys } from '../../billing/usage/name-keys';
import type { Database } from '../../db/schema';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import { readQuery } from '../../http/json-body';
import type { Operation } from '../../http/operation';
import { faultyField } from '../openapi/refusals';
import { csv, wantsCsv } from './csv-reply';
import { keyName, REFUSALS, showKey, units, usd } from './docs';
import { badPeriod, outcomeOf, periodOf, requestsParameters, requestsQuery } from './queries';

const EXACT = 9;

const listSchema = z
  .object({
    startDate: z.string(),
    endDate: z.string(),
    data: z.array(
      z.object({
        timestamp: z.string().describe('When the answer ended'),
        product: z.enum(SOLD),
        network: z.string().nullable().describe('Slug of the network of rpc'),
        method: z.string().nullable().describe('JSON-RPC method, or the size of a batch'),
        model: z.string().nullable(),
        status: z.number(),
        code: z.string().nullable().describe('Code of the error; null without one'),
        cut: z.boolean().describe('True if a streamed answer broke off, or the client disconnected'),
        durationMs: z.number().describe('Milliseconds until the answer ended'),
        units,
        amount: usd,
        apiKey: keyName,
        requestId: z.string(),
      }),
    ),
    pagination: z.object({ limit: z.number(), hasMore: z.boolean(), nextCursor: z.string().nullable() }),
  })
  .meta({ id: 'RequestList' });

const sumsSchema = z
  .object({
    startDate: z.string(),
    endDate: z.string(),
    groupBy: z.enum(REQUEST_PERIODS),
    splitBy: z.enum(REQUEST_SPLITS).optional(),
    data: z.array(
      z.object({
        group: z.string().describe('Start of the hour or day. Hours and days without requests are left out'),
        product: z.enum(SOLD).optional().describe('With splitBy'),
        split: z
          .string()
          .nullable()
          .optional()
          .describe('With splitBy: the product, network, model, key id or status; null if the request has none'),
        apiKey: keyName.optional(),
        requests: z.number(),
        failed: z.number().describe('Requests that got an error or an incomplete answer'),
        averageMs: z.number().describe('Average of durationMs'),
        p50Ms: z.number().describe('Median of durationMs'),
        p95Ms: z.number().describe('Duration that 95 of 100 requests did not exceed'),
        units,
        amount: usd,
      }),
    ),
  })
  .meta({ id: 'RequestSums' });

const requestsSchema = z.union([listSchema, sumsSchema]).meta({ id: 'Requests' });

const EXAMPLE = {
  startDate: '2026-11-01T00:00:00.000Z',
  endDate: '2026-11-24T02:30:00.000Z',
  data: [
    {
      timestamp: '2026-11-23T17:40:03.512Z',
      product: 'rpc' as const,
      network: 'ethereum-mainnet',
      method: 'eth_blockNumber',
      model: null,
      status: 429,
      code: 'MINUTE_CAP',
      cut: false,
      durationMs: 0.4,
      units: 0,
      amount: '0.000000000',
      apiKey: { id: '17', last6: 'oVy6Wx', description: 'bot' },
      requestId: '0f4b7c1de2a94f0b8c6d5e3a12b49f70',
    },
  ],
  pagination: { limit: 50, hasMore: false, nextCursor: null },
};

const billingRequestsDocs: Operation = {
  id: 'billingRequests',
  tag: 'Billing',
  summary: "The caller's requests, newest first, refused and failed ones included",
  description:
    'Free of charge. Requests of the account to paid endpoints, a few seconds after their answer: outcome, duration and cost, without bodies or addresses. The gateway keeps a limited number for a limited time, 30 days unless configured otherwise; GET /billing/usage has every charge. With groupBy, sums by hour or day, split on request. As CSV, a page of requests or the sums; X-Next-Cursor leads to the next page.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: Object.entries(requestsParameters).map(([name, schema]) => ({
    name,
    in: 'query' as const,
    required: false,
    description: schema.description ?? '',
    schema: inputOf(name),
  })),
  responses: {
    200: {
      description: 'Requests',
      schema: requestsSchema,
      examples: { requests: EXAMPLE },
      media: [{ type: 'text/csv', example: requestsCsv(EXAMPLE.data) }],
      headers: { 'X-Next-Cursor': 'CSV only: cursor of the next page; absent on the last page' },
    },
    400: {
      description: 'A parameter is not valid; details names it',
      schema: detailedErrorSchema,
      examples: { limit: faultyField('limit', 'Must be from 1 to 500') },
    },
    ...REFUSALS,
  },
};

/** Omits a parameter's transformation, because JSON Schema cannot express it. */
function inputOf(name: string): z.ZodType {
  if (name === 'limit') return z.int().min(1).max(500).default(50);
  if (name === 'apiKeyId') return z.int().min(1);
  if (name === 'format') return z.enum(['json', 'csv']);
  if (name === 'groupBy') return z.enum(REQUEST_PERIODS);
  if (name === 'splitBy') return z.enum(REQUEST_SPLITS);
  return name === 'product' ? z.enum(SOLD) : z.string();
}

export const billingRequestsRoute: Route = { path: '/api/v1/billing/requests', docs: { GET: billingRequestsDocs } };

/** GET /billing/requests: the caller's requests, newest first, or totals. */
export function billingRequests({ auth, db, now }: { auth: Auth; db: Database; now: () => number }): Endpoint {
  return {
    ...billingRequestsRoute,
    GET: async (call) => {
      const { accountId } = await auth.identifyReader(call);
      const query = readQuery(call, requestsQuery);
      const period = periodOf(query, now());
      if (!period) throw badPeriod();
      const { limit, cursor = null, product, network, method, model, code, apiKeyId, requestId } = query;
      const filter: RequestFilter = {
        accountId,
        ...period,
        ...outcomeOf(query.status),
        product,
        network,
        method,
        model,
        code,
        apiKeyId,
        requestId,
      };
      const facts = { startDate: new Date(period.from).toISOString(), endDate: new Date(period.until).toISOString() };
      const isCsv = wantsCsv(call, query.format);
      if (query.groupBy !== undefined) {
        const { groupBy, splitBy } = query;
        const keys = splitBy === 'key' ? await nameKeys(db, accountId) : null;
        const sums = await sumRequests(db, filter, groupBy, splitBy);
        const data = sums.map((sum) => showSum(sum, splitBy !== undefined, keys));
        if (isCsv) return csv(sumsCsv(groupBy, splitBy, data));
        return json({ ...facts, groupBy, ...(splitBy && { splitBy }), data });
      }
      const { requests, next } = await listRequests(db, filter, { limit, after: cursor });
      const nextCursor = next && `${next.at}-${next.id}`;
      const data = requests.map(showRequest);
      if (isCsv) return csv(requestsCsv(data), nextCursor);
      return json({
        ...facts,
        data,
        pagination: { limit, hasMore: next !== null, nextCursor },
      });
    },
  };
}

function showRequest(request: AnsweredRequest) {
  const { at, product, network, method, model, status, code, isFailed, durationUs, cost, apiKey } = request;
  return {
    timestamp: new Date(at).toISOString(),
    product,
    network,
    method,
    model,
    status,
    code,
    cut: isFailed && status < 400,
    durationMs: milliseconds(durationUs),
    units: request.units,
    amount: formatUsd(cost, EXACT),
    apiKey: apiKey && showKey(apiKey),
    requestId: request.requestId,
  };
}

function showSum(sum: RequestSum, isSplit: boolean, keys: ReadonlyMap<number, KeyName> | null) {
  const key = keys?.get(Number(sum.split));
  return {
    group: new Date(sum.at).toISOString(),
    ...(isSplit && sum.product !== null && { product: sum.product, split: sum.split }),
    ...(keys && { apiKey: key ? showKey(key) : null }),
    requests: sum.requests,
    failed: sum.failed,
    averageMs: milliseconds(sum.averageUs),
    p50Ms: milliseconds(sum.p50Us),
    p95Ms: milliseconds(sum.p95Us),
    units: sum.units,
    amount: formatUsd(sum.cost, EXACT),
  };
}

function sumsCsv(groupBy: string, splitBy: string | undefined, sums: readonly ReturnType<typeof showSum>[]): string {
  const heads = [groupBy, ...(splitBy === undefined ? [] : ['product', splitBy === 'product' ? 'split' : splitBy])];
  return csvText(
    [...heads, 'requests', 'failed', 'average_ms', 'p50_ms', 'p95_ms', 'units', 'amount_usd'],
    sums.map(({ apiKey: _, ...sum }) => Object.values(sum).map((value) => String(value ?? ''))),
  );
}

function milliseconds(microseconds: number): number {
  return Math.round(microseconds / 100) / 10;
}
