import { STATUS_CODES } from 'node:http';
import { faultsOf } from '@/lib/protocol/error-tree';
import { type ApiError, ERRORS, type ErrorTree } from '@/lib/protocol/errors';
import { type ErrorForm, errorObject } from '@/lib/protocol/translation/error-forms';
import { json, type Reply } from './call';

/**
 * The answer that an error is: a StandardError, or a DetailedError where it has details (spec, "Error bodies"),
 * with the stable code, a hint of what to do, and the place in the console that explains it, relative to the origin.
 */
export function errorReply(error: ApiError, form: ErrorForm = 'gateway'): Reply {
  const { status, hint: standardHint } = ERRORS[error.code];
  const hint = error.hint ?? standardHint;
  const sentence = withRemedy(error, status, hint);
  const body = {
    error: sentence,
    code: error.code,
    hint,
    docs: `/reference#error-${error.code}`,
    ...(error.details ? { details: error.details } : {}),
    ...error.fields,
  };
  const reply = json(
    inForm(body, status, form),
    status,
    status === 401 || status === 402 ? { ...AUTHENTICATE, ...error.headers } : { ...error.headers },
  );
  const { message } = error.fields ?? {};
  reply.reason = reasonPhrase(
    status,
    typeof message === 'string' ? message : error.message === ERRORS.PAYMENT_REQUIRED.error ? hint : sentence,
  );
  return reply;
}

/**
 * The same with the error where clients of that API look for it; all other members stay where they are. What asks a
 * wallet to pay keeps the form of x402 (spec, "402 bodies").
 */
function inForm(
  body: { error: string; code: string; hint: string; details?: ErrorTree },
  status: number,
  form: ErrorForm,
): object {
  if (form === 'gateway' || body.code === 'PAYMENT_REQUIRED') return body;
  const param = body.details === undefined ? '' : (faultsOf(body.details)[0]?.path ?? '');
  return {
    ...body,
    ...errorObject(
      { message: body.error, code: body.code, hint: body.hint, param: param === '' ? null : param },
      status,
      form,
    ),
  };
}

/** On every 401 and 402: RFC 9110, section 11.6.1, and RFC 6750, section 3. What x402 takes in its place has a header of its own, PAYMENT-REQUIRED. */
export const AUTHENTICATE = { 'www-authenticate': 'Bearer realm="Turnpike"' } as const;

/** Client libraries show `error` alone, so that what to do stands in it too, wherever it is more than mending the request. */
function withRemedy({ code, message }: ApiError, status: number, hint: string): string {
  return SELF_EXPLAINING.has(status) || code === 'NOT_OFFERED' || message.includes(hint)
    ? message
    : `${message} ${hint}`;
}

/** What is wrong with a request, or with what it asked for, says what to do by itself. */
const SELF_EXPLAINING: ReadonlySet<number> = new Set([400, 405, 422]);

const PHRASE_CHARACTERS_MAX = 240;

/**
 * The sentence for the status line of HTTP/1.1, since some clients show nothing else: after the status in words, one
 * line of printable ASCII (RFC 9112, section 4).
 */
function reasonPhrase(status: number, message: string): string {
  const text = message
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return `${STATUS_CODES[status] ?? 'Error'}: ${text.length > PHRASE_CHARACTERS_MAX ? `${text.slice(0, PHRASE_CHARACTERS_MAX - 3)}...` : text}`;
}
