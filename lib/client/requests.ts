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
  /** Error code; null without an error. */
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

/** Filter of requests. Dates are `2026-11-21` (UTC; the end date is inclusive) or ISO 8601 times. */
export interface RequestQuery {
  startDate?: string;
  endDate?: string;
  product?: string;
  network?: string;
  method?: string;
  model?: string;
  /** `succeeded`, `failed`, a class such as `4xx`, or a status such as `429`. */
  status?: string;
  code?: string;
  apiKeyId?: string;
  requestId?: string;
}

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

export function requestsPath(query: RequestQuery & { limit?: number; cursor?: string }): string {
  return `/api/v1/billing/requests?${searchOf(query)}`;
}
