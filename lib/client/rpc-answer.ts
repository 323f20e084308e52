import { isRecord } from '@/lib/protocol/json-record';
import { parseLongIntegers } from './exact-json';
import { usdOf } from './usd-header';

/** Answer of POST /crypto/rpc/{network} with status 200 (spec, "JSON-RPC response item"). */
export interface RpcAnswer {
  /**
   * JSON-RPC items: one for a single request, or in request order for a batch. Integers beyond 2^53 are bigints, which
   * JSON.stringify refuses; store `bodyText` instead.
   */
  items: readonly RpcItem[];
  isBatch: boolean;
  bodyText: string;
  /** Number of charged credits; for a batch, their sum. */
  credits: number | null;
  /** Cost in USD with 8 decimals, as received. */
  costUsd: string | null;
  requestId: string | null;
  /** Wallet balance after this request; null for API keys. */
  balanceRemainingUsd: string | null;
  /** True if the answer came from the idempotency cache. Such an answer is not charged. */
  replayed: boolean;
  /**
   * True if the answer was charged but is too large for the idempotency cache. A repeated request then gets an error
   * instead of the answer.
   */
  unkept: boolean;
  latencyMs: number;
}

/** JSON-RPC response. An error costs 5 credits. */
export interface RpcItem {
  id: unknown;
  result?: unknown;
  error?: RpcItemError;
}

export interface RpcItemError {
  code: number;
  message: string;
  data?: unknown;
}

/** Parses headers and body of a 200. Never throws: a malformed item counts as a result. */
export function readRpcAnswer({
  headers,
  body,
  bodyText,
  latencyMs,
}: {
  headers: Headers;
  body: unknown;
  bodyText: string;
  latencyMs: number;
}): RpcAnswer {
  const exact = exactBody(body, bodyText);
  const isBatch = Array.isArray(body);
  return {
    items: (Array.isArray(exact) ? exact : [exact]).map(readItem),
    isBatch,
    bodyText,
    credits: readCredits(headers.get('x-service-rpc-credits')),
    costUsd: usdOf(headers, 'x-service-rpc-cost-usd'),
    requestId: headers.get('x-request-id'),
    balanceRemainingUsd: usdOf(headers, 'x-balance-remaining'),
    replayed: headers.get('idempotent-replayed') === 'true',
    unkept: headers.get('idempotency-stored') === 'false',
    latencyMs,
  };
}

function exactBody(body: unknown, bodyText: string): unknown {
  try {
    return parseLongIntegers(bodyText);
  } catch {
    return body;
  }
}

function readItem(value: unknown): RpcItem {
  if (!isRecord(value)) return { id: null, result: value };
  const { id = null, result, error } = value;
  return isRecord(error) ? { id, error: readError(error) } : { id, result };
}

function readError({ code, message, data }: Readonly<Record<string, unknown>>): RpcItemError {
  return {
    code: typeof code === 'number' || typeof code === 'bigint' || typeof code === 'string' ? Number(code) : NaN,
    message: typeof message === 'string' ? message : 'The error gives no reason.',
    ...(data === undefined ? {} : { data }),
  };
}

function readCredits(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
