import { answerBoundOf } from './answer-bounds';
import { MisfitError, type Schema } from './answer-schema';
import { boundedText, errorText } from './bounded-body';
import { OversizedAnswerError, UnreachableError } from './client-errors';

/** How to reach a gateway. */
export interface TurnpikeClientOptions {
  /** Origin of the gateway, as `https://gateway.example`; a path prefix is kept, a trailing slash ignored. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer`. Without one only public endpoints answer. */
  apiKey?: string;
  /** Sent as `SIGN-IN-WITH-X`: a wallet's signed sign-in, for a client without an API key. */
  signIn?: string;
  /** Replaces the global fetch, for tests and for other runtimes. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

/** What one call sends beside its path. */
interface Exchange extends CallOptions {
  idempotencyKey?: string;
  requestText?: string;
  /** A status that is an answer, not an error. */
  absentStatus?: number;
}

/** A 2xx answer in JSON, or one of the absent status. */
export interface Exchanged {
  status: number;
  headers: Headers;
  bodyText: string;
  /** The parsed body; undefined where `absent`. */
  body: unknown;
  latencyMs: number;
  absent: boolean;
}

/** Makes the function that sends calls. They reject with `GatewayError` or `UnreachableError`. @throws TypeError if `baseUrl` is not an http(s) URL. */
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
    const init: RequestInit = { method, headers, body: exchange.requestText ?? null, signal: exchange.signal ?? null };
    const startedMs = performance.now();
    const { response, bodyText } = await receive(options.fetch ?? fetch, origin, path, init);
    const latencyMs = performance.now() - startedMs;
    const absent = response.status === exchange.absentStatus;
    const body = response.ok ? parseJson(bodyText) : undefined;
    if (!absent && body === undefined) throw (await readers()).readGatewayError(response, bodyText, latencyMs);
    return { status: response.status, headers: response.headers, bodyText, body, latencyMs, absent };
  };
}

/** The body of an answer, of a schema. @throws {GatewayError} for a body that is not, naming the member at fault */
export async function fitting<T>(schema: Schema<T>, answer: Exchanged): Promise<T> {
  try {
    return schema(answer.body, '');
  } catch (error) {
    throw error instanceof MisfitError ? (await readers()).readMisfit(answer, error, answer.latencyMs) : error;
  }
}

/** Pages of the console load the readers of refusals with the first one. */
const readers = () => import('./read-gateway-error');

/** The headers that say who calls. */
export function credentialHeaders({ apiKey, signIn }: TurnpikeClientOptions): Headers {
  if (apiKey !== undefined) return new Headers({ authorization: `Bearer ${apiKey}` });
  return new Headers(signIn === undefined ? {} : { 'sign-in-with-x': signIn });
}

/**
 * Sends once and reads the whole answer, within the bound of its endpoint; of a refusal, no more than ERROR_BODY_BYTES_MAX.
 * @throws {UnreachableError} where there is none, or not all of it in time; {OversizedAnswerError} where it is longer than is read
 */
export async function receive(
  fetchOnce: typeof fetch,
  origin: string,
  path: string,
  init: RequestInit,
): Promise<{ response: Response; bodyText: string }> {
  let response: Response | null = null;
  try {
    // A redirect would carry the credential to whatever host it names.
    response = await fetchOnce(origin + path, { ...init, redirect: 'error' });
    if (!response.ok) return { response, bodyText: await errorText(response) };
    const { bytesMax, timeoutMs } = answerBoundOf(path);
    return { response, bodyText: await boundedText(response, bytesMax, timeoutMs) };
  } catch (cause) {
    if (cause instanceof OversizedAnswerError) throw cause;
    throw new UnreachableError(origin, init.signal?.aborted === true, { cause, hasBegun: response !== null });
  }
}

/** A base URL without its trailing slash. @throws TypeError */
export function parseBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    throw new TypeError(
      `baseUrl must be an http or https URL such as "http://localhost:3000", not ${JSON.stringify(baseUrl)}.`,
    );
  }
  const url = new URL(baseUrl);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** undefined for what is not JSON: a page of something between here and the gateway. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
