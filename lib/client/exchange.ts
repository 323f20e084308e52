import { MisfitError, type Schema } from './answer-schema';
import { answerBoundOf, boundedText, errorText } from './bounded-answer';
import { OversizedAnswerError, UnreachableError } from './client-errors';

export interface TurnpikeClientOptions {
  /** URL of the gateway, such as `https://gateway.example`. A path prefix is kept; a trailing slash is ignored. */
  baseUrl: string;
  /** API key, sent as `Authorization: Bearer`. Without a key or a sign-in, only public endpoints answer. */
  apiKey?: string;
  /** Wallet's signed sign-in, sent as `SIGN-IN-WITH-X` by clients without an API key. */
  signIn?: string;
  /** Replaces the global fetch in tests and other runtimes. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

interface Exchange extends CallOptions {
  idempotencyKey?: string;
  requestText?: string;
  /** Multipart form to send instead of `requestText`. */
  form?: FormData;
  /** Error status that is returned instead of thrown, such as 404. */
  absentStatus?: number;
}

/** JSON answer with a 2xx status or `absentStatus`. */
export interface Exchanged {
  status: number;
  headers: Headers;
  bodyText: string;
  /** Parsed body; undefined if `absent`. */
  body: unknown;
  latencyMs: number;
  absent: boolean;
}

/**
 * Returns a function that sends requests and rejects with `GatewayError`, `UnreachableError` or `OversizedAnswerError`.
 *
 * @throws {TypeError} if `baseUrl` is not an http(s) URL
 */
export function exchanger(options: TurnpikeClientOptions) {
  const origin = parseBaseUrl(options.baseUrl);
  return async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    exchange: Exchange = {},
  ): Promise<Exchanged> => {
    const headers = credentialHeaders(options);
    if (exchange.requestText !== undefined) headers.set('content-type', 'application/json');
    if (exchange.idempotencyKey !== undefined) headers.set('idempotency-key', exchange.idempotencyKey);
    const init: RequestInit = {
      method,
      headers,
      body: exchange.requestText ?? exchange.form ?? null,
      signal: exchange.signal ?? null,
    };
    const startedMs = performance.now();
    const { response, bodyText } = await receive(options.fetch ?? fetch, origin, path, init);
    const latencyMs = performance.now() - startedMs;
    const absent = response.status === exchange.absentStatus;
    const body = response.ok ? parseJson(bodyText) : undefined;
    if (!absent && body === undefined) throw (await readers()).readGatewayError(response, bodyText, latencyMs);
    return { status: response.status, headers: response.headers, bodyText, body, latencyMs, absent };
  };
}

/**
 * Validates a body against a schema.
 *
 * @throws {GatewayError} with the faulty member's path, if the body does not fit
 */
export async function fitting<T>(schema: Schema<T>, answer: Exchanged): Promise<T> {
  try {
    return schema(answer.body, '');
  } catch (error) {
    throw error instanceof MisfitError ? (await readers()).readMisfit(answer, error, answer.latencyMs) : error;
  }
}

/** Loaded on the first error, to keep console pages small. */
const readers = () => import('./read-gateway-error');

export function credentialHeaders({ apiKey, signIn }: TurnpikeClientOptions): Headers {
  if (apiKey !== undefined) return new Headers({ authorization: `Bearer ${apiKey}` });
  return new Headers(signIn === undefined ? {} : { 'sign-in-with-x': signIn });
}

/**
 * Sends a request once. Reads the whole answer within its endpoint's limits, but at most ERROR_BODY_BYTES_MAX of an
 * error.
 *
 * @throws {UnreachableError} if no complete answer arrives in time; {OversizedAnswerError} if the answer is too long
 */
export async function receive(
  fetchOnce: typeof fetch,
  origin: string,
  path: string,
  init: RequestInit,
): Promise<{ response: Response; bodyText: string }> {
  let response: Response | null = null;
  try {
    // Following a redirect would send the credential to another host.
    response = await fetchOnce(origin + path, { ...init, redirect: 'error' });
    if (!response.ok) return { response, bodyText: await errorText(response) };
    const { bytesMax, timeoutMs } = answerBoundOf(path);
    return { response, bodyText: await boundedText(response, bytesMax, timeoutMs) };
  } catch (cause) {
    if (cause instanceof OversizedAnswerError) throw cause;
    throw new UnreachableError(origin, init.signal?.aborted === true, { cause, hasBegun: response !== null });
  }
}

/**
 * Validates a base URL and removes trailing slashes.
 *
 * @throws {TypeError}
 */
export function parseBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    throw new TypeError(
      `baseUrl must be an http or https URL such as "http://localhost:3000", not ${JSON.stringify(baseUrl)}.`,
    );
  }
  const url = new URL(baseUrl);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
