import { isRecord } from './answer-schema';

/**
 * A refusal by the gateway: any answer whose HTTP status is not 2xx (spec, "Error bodies"), or
 * whose body is not JSON. `message` is the
 * gateway's own sentence, `hint` says what to do about it.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    /** HTTP status. */
    readonly status: number,
    message: string,
    readonly detail: GatewayErrorDetail,
  ) {
    super(message);
  }
}

/** Everything an error body and its headers may carry beside the sentence. */
export interface GatewayErrorDetail {
  /** Whether the service itself wrote the answer; false for what a proxy in between says, which tells nothing about charges. */
  isFromService: boolean;
  /** Stable upper-snake code, or null where the body has none. */
  code: string | null;
  /** What to do next, in the gateway's own words; null where it does not say. */
  hint: string | null;
  /** For 429: which cap it was. */
  customMessage: string | null;
  /** Sentences of the validation tree, each with the path of its field. */
  fieldErrors: readonly FieldError[];
  requestId: string | null;
  rateLimit: RateLimit | null;
  /** When the same call may be sent again, by Retry-After: Unix time in milliseconds; null where it does not say. */
  retryAtMs: number | null;
  /** Round trip as seen here, milliseconds. */
  latencyMs: number;
  /** The body as received. */
  bodyText: string;
}

/** One sentence of a validation tree; `path` is empty for the request as a whole, else like `0.method`. */
export interface FieldError {
  path: string;
  message: string;
}

/** The X-RateLimit-* headers of a 429. `resetAtMs` is Unix time in milliseconds. */
export interface RateLimit {
  limit: number | null;
  remaining: number | null;
  resetAtMs: number | null;
}

/** The gateway did not answer, or not to the end: refused connection, lost network, a gateway that stopped, or a cancelled call. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** Whether the answer had begun: the call reached the gateway, and what it did may have been charged. */
  readonly hasBegun: boolean;

  constructor(
    readonly baseUrl: string,
    /** Whether the caller itself aborted. */
    readonly aborted: boolean,
    { hasBegun = false, ...options }: ErrorOptions & { hasBegun?: boolean } = {},
  ) {
    super(sentenceOn(baseUrl, aborted, hasBegun), options);
    this.hasBegun = hasBegun;
  }
}

/** An answer that is longer than its kind ever is: it was left there. */
export class OversizedAnswerError extends Error {
  override readonly name = 'OversizedAnswerError';

  constructor(readonly bytesMax: number) {
    super(`The answer is longer than ${Math.floor(bytesMax / 1_024)} KiB, which no such answer is. It was not read.`);
  }
}

/** An answer that did not end in the time that its kind takes: it was left there. */
export class LateAnswerError extends Error {
  override readonly name = 'LateAnswerError';

  constructor(readonly timeoutMs: number) {
    super(`The answer did not end within ${Math.round(timeoutMs / 1_000)} s.`);
  }
}

/** A token of key minting that no wallet was asked to sign. The message says what is wrong with it. */
export class UnsignableTokenError extends Error {
  override readonly name = 'UnsignableTokenError';
}

function sentenceOn(baseUrl: string, aborted: boolean, hasBegun: boolean): string {
  if (aborted) return 'The call was cancelled before an answer arrived.';
  return hasBegun ? `The connection to the gateway at ${baseUrl} broke off before the end of the answer.` : `The gateway at ${baseUrl} does not answer.`;
}

/**
 * Reads an answer that is not 2xx. Never throws: a body that is not the service's own (an HTML page of a
 * proxy in between) becomes a sentence that names the status.
 */
export function readGatewayError(response: Pick<Response, 'status' | 'headers'>, bodyText: string, latencyMs: number): GatewayError {
  const body = parseObject(bodyText);
  const code = stringOr(body?.code, null);
  const requestId = stringOr(response.headers.get('x-request-id'), null);
  const hint = stringOr(body?.hint, null);
  const said = withoutHint(stringOr(body?.error, null), hint);
  const sentence = said ?? `The answer, with HTTP status ${response.status}, has a body that is not the service's.`;
  return new GatewayError(response.status, sentence, {
    isFromService: said !== null && (code !== null || requestId !== null),
    code,
    hint,
    customMessage: stringOr(body?.customMessage, null),
    fieldErrors: flattenTree(body?.details, sentence),
    requestId,
    rateLimit: readRateLimit(response.headers),
    retryAtMs: readRetryAfter(response.headers.get('retry-after'), Date.now()),
    latencyMs,
    bodyText,
  });
}

/** The error for a 2xx whose body this client does not know, with what is wrong in it. */
export function misfitError({ status, headers, latencyMs }: Pick<Response, 'status' | 'headers'> & { latencyMs: number }, fault: string): GatewayError {
  return new GatewayError(status, `The answer is not of the known form: ${fault}.`, {
    isFromService: false,
    code: null,
    hint: null,
    customMessage: null,
    fieldErrors: [],
    requestId: stringOr(headers.get('x-request-id'), null),
    rateLimit: null,
    retryAtMs: null,
    latencyMs,
    bodyText: '',
  });
}

function readRateLimit(headers: Headers): RateLimit | null {
  const limit = numberOrNull(headers.get('x-ratelimit-limit'));
  const remaining = numberOrNull(headers.get('x-ratelimit-remaining'));
  const resetSeconds = numberOrNull(headers.get('x-ratelimit-reset'));
  if (limit === null && remaining === null && resetSeconds === null) return null;
  return { limit, remaining, resetAtMs: resetSeconds === null || resetSeconds > TIME_SECONDS_MAX ? null : resetSeconds * 1000 };
}

/** The last second that a Date can hold. */
const TIME_SECONDS_MAX = 8.64e12;
/** A wait longer than a day is a mistake of somebody in between. */
const RETRY_AFTER_SECONDS_MAX = 86_400;

/** Retry-After (RFC 9110, section 10.2.3), as seconds or as a date. */
function readRetryAfter(text: string | null, nowMs: number): number | null {
  const seconds = numberOrNull(text);
  if (seconds !== null) return seconds >= 0 && seconds <= RETRY_AFTER_SECONDS_MAX ? nowMs + seconds * 1000 : null;
  const atMs = text === null ? NaN : Date.parse(text);
  return Number.isFinite(atMs) && atMs - nowMs <= RETRY_AFTER_SECONDS_MAX * 1000 ? atMs : null;
}

/** Levels of a validation tree that are read: of a request, the gateway takes 128. */
const TREE_DEPTH_MAX = 130;
/** Sentences that are kept, and characters of the path of each: a batch of 100 items has fewer. */
const FIELD_ERRORS_MAX = 1_000;
const PATH_LENGTH_MAX = 500;

/** Depth-first sentences of a validation tree, without the one that the error already says. */
function flattenTree(details: unknown, sentence: string): FieldError[] {
  const found: FieldError[] = [];
  const visit = (node: unknown, path: string, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > TREE_DEPTH_MAX || found.length >= FIELD_ERRORS_MAX) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== '_errors') visit(value, (path === '' ? key : `${path}.${key}`).slice(0, PATH_LENGTH_MAX), depth + 1);
      else if (Array.isArray(value)) for (const message of value) if (typeof message === 'string') found.push({ path, message });
    }
  };
  visit(details, '', 0);
  return found.filter(({ message }) => message !== sentence).slice(0, FIELD_ERRORS_MAX);
}

/** What to do stands in the sentence too, for clients that show nothing else: here it has a place of its own. */
function withoutHint(error: string | null, hint: string | null): string | null {
  return error !== null && hint !== null && error.endsWith(` ${hint}`) ? error.slice(0, -hint.length - 1) : error;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function stringOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function numberOrNull(text: string | null): number | null {
  if (text === null || text.trim() === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
