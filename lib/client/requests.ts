import { decimal, flag, list, nullable, number, object, type Schema, text } from './answer-schema';
import { type KeyName, keyName, searchOf } from './billing';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** Answered request (GET /billing/requests). The amount is exact decimal USD. */
export interface AnsweredRequest {
  timestamp: string;
  product: string;
  network: string | null;
  /** JSON-RPC method; for a batch, its size, such as `batch of 2`. */
  method: string | null;
  model: string | null;
  status: number;
  /** Error code; null if there was no error. */
  code: string | null;
  /** True if a streamed answer ended early, for example because the client disconnected. */
  cut: boolean;
  durationMs: number;
  units: number;
  amount: string;
  apiKey: KeyName | null;
  requestId: string;
}

/** Page of requests, newest first. */
export interface RequestPage {
  data: readonly AnsweredRequest[];
  pagination: { hasMore: boolean; nextCursor: string | null };
}

/** Filter for requests. Dates are `2026-11-21` (UTC; the end date is inclusive) or ISO 8601 times. */
export interface RequestQuery {
  startDate?: string;
  endDate?: string;
  product?: string;
  network?: string;
  method?: string;
  model?: string;
  /** `succeeded`, `failed`, `interrupted`, a class such as `4xx`, or a status such as `429`. */
  status?: string;
  code?: string;
  apiKeyId?: string;
  requestId?: string;
}

export type RequestSplit = 'product' | 'network' | 'model' | 'key' | 'status';

/** Sum of requests in one hour or day, for one value of `splitBy` if given. Durations are in milliseconds. */
export interface RequestSum {
  /** First moment of the hour or day, ISO 8601. */
  group: string;
  /** Null if `splitBy` is absent. */
  product: string | null;
  /** Product, network, model, API key id or status; null if `splitBy` is absent or the requests lack the value. */
  split: string | null;
  apiKey?: KeyName | null;
  requests: number;
  failed: number;
  averageMs: number;
  p50Ms: number;
  p95Ms: number;
  units: number;
  amount: string;
}

const requestSums: Schema<{ data: readonly RequestSum[] }> = object({
  data: list(
    object({
      group: text,
      product: nullable(text),
      split: nullable(text),
      apiKey: keyName,
      requests: number,
      failed: number,
      averageMs: number,
      p50Ms: number,
      p95Ms: number,
      units: number,
      amount: decimal,
    }),
  ),
});

const requestPage: Schema<RequestPage> = object({
  data: list(
    object({
      timestamp: text,
      product: text,
      network: nullable(text),
      method: nullable(text),
      model: nullable(text),
      status: number,
      code: nullable(text),
      cut: flag,
      durationMs: number,
      units: number,
      amount: decimal,
      apiKey: keyName,
      requestId: text,
    }),
  ),
  pagination: object({ hasMore: flag, nextCursor: nullable(text) }),
});

/**
 * Fetches a page of the caller's requests, including refused and failed requests. `limit` is 1 to 500. Rejects with
 * GatewayError or UnreachableError.
 */
export async function listRequests(
  options: TurnpikeClientOptions,
  query: RequestQuery & { limit?: number; cursor?: string },
  callOptions?: CallOptions,
): Promise<RequestPage> {
  return fitting(requestPage, await exchanger(options)('GET', requestsPath(query), callOptions));
}

/**
 * Fetches sums of the caller's requests by hour or day, split if `splitBy` is given. Rejects with the same errors as
 * `listRequests`.
 */
export async function sumRequests(
  options: TurnpikeClientOptions,
  query: RequestQuery & { groupBy: 'hour' | 'day'; splitBy?: RequestSplit },
  callOptions?: CallOptions,
): Promise<readonly RequestSum[]> {
  return (await fitting(requestSums, await exchanger(options)('GET', requestsPath(query), callOptions))).data;
}

export function requestsPath(
  query: RequestQuery & { limit?: number; cursor?: string; groupBy?: 'hour' | 'day'; splitBy?: RequestSplit },
): string {
  return `/api/v1/billing/requests?${searchOf(query)}`;
}
