import { isRecord } from './answer-schema';
import { parseLongIntegers } from './exact-json';
import { usdOf } from './usd-header';

/** An answer of POST /crypto/rpc/{network} with HTTP status 200 (spec, "JSON-RPC response item" and rule headers). */
export interface RpcAnswer {
  /** The JSON-RPC items: one for a single request, in request order for a batch. Integers beyond 2^53 are bigints, which JSON.stringify refuses: `bodyText` is JSON. */
  items: readonly RpcItem[];
  isBatch: boolean;
  /** The body as received. */
  bodyText: string;
  /** Credits charged; for a batch the sum over its items. */
  credits: number | null;
  /** Dollar cost to 8 decimals, as the gateway wrote it. */
  costUsd: string | null;
  requestId: string | null;
  /** Of a wallet's prepaid balance, in USD, after this call; null under an API key. */
  balanceRemainingUsd: string | null;
  /** Served from the idempotency cache and charged nothing. */
  replayed: boolean;
  /** Charged and whole, but too large to be kept under its Idempotency-Key: the key gets no answer a second time. */
  unkept: boolean;
  /** Round trip as seen here, milliseconds. */
  latencyMs: number;
}

/** One JSON-RPC response: a result, or an error that is billed 5 credits. */
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

/** Reads the headers and the parsed body of a 200. Never throws: an item of no known shape is taken as a result. */
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

/** The body without rounded integers, as long as it is not nested too deeply to be read twice. */
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
    message: typeof message === 'string' ? message : 'It gives no reason.',
    ...(data === undefined ? {} : { data }),
  };
}

/** Digits that a number holds exactly. */
function readCredits(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
