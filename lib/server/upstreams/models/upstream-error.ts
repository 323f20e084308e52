import { errorSentence } from '@/lib/protocol/chat/answer-error';
import { type ApiError, apiError } from '@/lib/protocol/errors';
import { recordOf } from '@/lib/protocol/json-record';
import type { AskedServer, UpstreamAnswer } from './model-exchange';

/**
 * Why an upstream gave no answer. `away`: it is unreachable or closed the connection early. `gone`: the client
 * disconnected. `too-long`: the answer is longer than allowed. `busy`: too many requests are running, so the gateway
 * did not send the request.
 */
type FailureReason = 'away' | 'timeout' | 'gone' | 'too-long' | 'busy';

export class UpstreamFailed extends Error {
  override readonly name = 'UpstreamFailed';

  /** Compares class names, because each bundle has its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'UpstreamFailed';
  }

  readonly isUnsent: boolean;
  readonly retryAfterSeconds: number;

  constructor(
    readonly reason: FailureReason,
    {
      isUnsent = false,
      retryAfterSeconds = RETRY_AFTER_SECONDS,
      ...options
    }: ErrorOptions & { isUnsent?: boolean; retryAfterSeconds?: number } = {},
  ) {
    super(`The upstream returned no answer (${reason}).`, options);
    this.isUnsent = isUnsent;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

export function upstreamFailure(error: Error): UpstreamFailed {
  if (error instanceof UpstreamFailed) return error;
  return new UpstreamFailed(TIMEOUT_CODES.has((error as NodeJS.ErrnoException).code ?? '') ? 'timeout' : 'away', {
    cause: error,
  });
}

export const NO_CREDIT = 'no credit';

const MESSAGE_CHARACTERS_MAX = 600;
const FAULTS_MAX = 5;
const RETRY_AFTER_SECONDS = 5;
const RETRY_AFTER_SECONDS_MAX = 3_600;

/** Translates an upstream's failure into the error for the caller. Returns other errors unchanged. */
export function failureError(error: unknown): unknown {
  if (!(error instanceof UpstreamFailed)) return error;
  switch (error.reason) {
    case 'timeout':
      return apiError('MODEL_TIMEOUT');
    case 'gone':
      return apiError('CLIENT_CLOSED_REQUEST');
    case 'too-long':
      return apiError('MODEL_ANSWER_INVALID', {
        message: "The model's answer is longer than the gateway can forward.",
      });
    case 'away':
      return apiError('MODEL_UNAVAILABLE');
    case 'busy':
      return busyError(error.retryAfterSeconds);
  }
}

function busyError(retryAfterSeconds: number): ApiError {
  return apiError('MODEL_BUSY', { headers: { 'retry-after': String(retryAfterSeconds) } });
}

/**
 * Translates an upstream's refusal into the error for the caller. Quotes the upstream's message, redacted, only if the
 * request is at fault.
 */
export function refusedError(
  { status, headers, body }: UpstreamAnswer,
  upstream: Pick<AskedServer, 'redact'>,
): ApiError {
  if (status === 401 || status === 403) return apiError('MODEL_MISCONFIGURED');
  if (status === 402) return Object.assign(apiError('MODEL_MISCONFIGURED'), { cause: NO_CREDIT });
  if (status === 429) return busyError(retryAfterSeconds(headers['retry-after']));
  if (status === 408) return apiError('MODEL_TIMEOUT');
  if (status >= 400 && status < 500) {
    const said = messageOf(body);
    return apiError('MODEL_REFUSED', said === null ? {} : { message: asSentence(upstream.redact(said)) });
  }
  return apiError('MODEL_UNAVAILABLE');
}

/** Returns the message in an error body of OpenAI, FastAPI or Ollama; null if none. */
export function messageOf(body: Uint8Array): string | null {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
  const { error, message, detail } = recordOf(Array.isArray(json) ? json[0] : json);
  const nested = typeof error === 'object' && error !== null ? (error as Record<string, unknown>)['message'] : null;
  const said = [nested, error, message, detailOf(detail)].find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
  return said?.trim() ?? errorSentence(json);
}

/**
 * Returns the message in FastAPI's `detail`, which is a sentence, a list of field errors (`{ loc, msg, type }`), or an
 * object.
 */
function detailOf(detail: unknown): unknown {
  if (Array.isArray(detail))
    return (detail as unknown[])
      .slice(0, FAULTS_MAX)
      .map(faultOf)
      .filter((fault) => fault !== null)
      .join('; ');
  const { message, msg, error, detail: inner } = recordOf(detail);
  return typeof detail === 'string'
    ? detail
    : [message, msg, recordOf(error)['message'], error, inner].find((value) => typeof value === 'string');
}

function faultOf(fault: unknown): string | null {
  if (typeof fault === 'string') return fault;
  const { loc, msg } = recordOf(fault);
  if (typeof msg !== 'string') return null;
  const path = Array.isArray(loc)
    ? (loc as unknown[]).filter((step, index) => index > 0 || step !== 'body').join('.')
    : '';
  return path === '' ? msg : `${path}: ${msg}`;
}

function asSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, MESSAGE_CHARACTERS_MAX);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function retryAfterSeconds(value: string | string[] | undefined): number {
  const seconds = Number(typeof value === 'string' ? value : '');
  return Number.isFinite(seconds) && seconds > 0
    ? Math.min(Math.ceil(seconds), RETRY_AFTER_SECONDS_MAX)
    : RETRY_AFTER_SECONDS;
}
