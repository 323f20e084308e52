import { isRecord } from '@/lib/protocol/json-record';
import type { MisfitError } from './answer-schema';
import { type FieldError, GatewayError, type RateLimit } from './client-errors';

/**
 * Parses an error answer. Never throws. A body from another server, such as a proxy's page, becomes a sentence with the
 * status.
 */
export function readGatewayError(
  response: Pick<Response, 'status' | 'headers'>,
  bodyText: string,
  latencyMs: number,
): GatewayError {
  const body = parseObject(bodyText);
  const code = stringOr(body?.code, null);
  const requestId = stringOr(response.headers.get('x-request-id'), null);
  const hint = stringOr(body?.hint, null);
  const said = withoutHint(stringOr(body?.error, null), hint);
  const sentence = said ?? `The body of the answer (HTTP status ${response.status}) does not come from the gateway.`;
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

/** Returns the error for a body that does not fit its schema. The message contains the faulty member's path. */
export function readMisfit(
  response: Pick<Response, 'status' | 'headers'>,
  { at, value, expected }: MisfitError,
  latencyMs: number,
): GatewayError {
  const { detail } = readGatewayError(response, '', latencyMs);
  return new GatewayError(
    response.status,
    `The answer does not have the expected form: ${at === '' ? 'the whole answer' : at} ${shown(value)}, but ${expected} was expected.`,
    detail,
  );
}

const SHOWN_LENGTH_MAX = 40;

function shown(value: unknown): string {
  if (value === undefined) return 'is missing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'is a list' : 'is an object';
  const whole = JSON.stringify(typeof value === 'string' ? value.slice(0, SHOWN_LENGTH_MAX + 1) : value);
  return `is ${whole.length > SHOWN_LENGTH_MAX ? `${whole.slice(0, SHOWN_LENGTH_MAX)}…` : whole}`;
}

function readRateLimit(headers: Headers): RateLimit | null {
  const limit = numberOrNull(headers.get('x-ratelimit-limit'));
  const remaining = numberOrNull(headers.get('x-ratelimit-remaining'));
  const resetSeconds = numberOrNull(headers.get('x-ratelimit-reset'));
  if (limit === null && remaining === null && resetSeconds === null) return null;
  return {
    limit,
    remaining,
    resetAtMs: resetSeconds === null || resetSeconds > TIME_SECONDS_MAX ? null : resetSeconds * 1000,
  };
}

/** Last second that a Date can hold. */
const TIME_SECONDS_MAX = 8.64e12;
/** Longest accepted wait. Longer waits are probably an intermediary's mistake. */
const RETRY_AFTER_SECONDS_MAX = 86_400;

function readRetryAfter(text: string | null, nowMs: number): number | null {
  const seconds = numberOrNull(text);
  if (seconds !== null) return seconds >= 0 && seconds <= RETRY_AFTER_SECONDS_MAX ? nowMs + seconds * 1000 : null;
  const atMs = text === null ? NaN : Date.parse(text);
  return Number.isFinite(atMs) && atMs - nowMs <= RETRY_AFTER_SECONDS_MAX * 1000 ? atMs : null;
}

/** Maximum depth to which an error's `details` are read. Requests have at most 128 levels. */
const TREE_DEPTH_MAX = 130;
/** Maximum number of messages that are read. A batch of 100 items has fewer messages. */
const FIELD_ERRORS_MAX = 1_000;
const PATH_LENGTH_MAX = 500;

function flattenTree(details: unknown, sentence: string): FieldError[] {
  const found: FieldError[] = [];
  const visit = (node: unknown, path: string, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > TREE_DEPTH_MAX || found.length >= FIELD_ERRORS_MAX) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== '_errors') visit(value, (path === '' ? key : `${path}.${key}`).slice(0, PATH_LENGTH_MAX), depth + 1);
      else if (Array.isArray(value))
        for (const message of value) if (typeof message === 'string') found.push({ path, message });
    }
  };
  visit(details, '', 0);
  return found.filter(({ message }) => message !== sentence).slice(0, FIELD_ERRORS_MAX);
}

/** Removes the hint from the error's sentence. The gateway appends the hint for clients that show only the sentence. */
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
