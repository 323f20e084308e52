import { STATUS_CODES } from 'node:http';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { faultsOf } from '@/lib/protocol/error-tree';
import { type ApiError, ERRORS, type ErrorTree } from '@/lib/protocol/errors';
import { type ErrorForm, errorObject } from '@/lib/protocol/translation/error-forms';
import { json, type Reply } from './call';

/**
 * Builds an error's answer: a StandardError or DetailedError (spec, "Error bodies") with code, hint, and the path of
 * the console page about the error.
 * @param realm name of the gateway, for WWW-Authenticate
 */
export function errorReply(error: ApiError, form: ErrorForm = 'gateway', realm = DEFAULT_BRAND.name): Reply {
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
    status === 401 || status === 402 ? { ...authenticate(realm), ...error.headers } : { ...error.headers },
  );
  reply.reason = reasonPhrase(status, briefly(error, sentence, hint));
  return reply;
}

/** In x402's answers, `error` is fixed, and `message` says what happened. */
function briefly({ code, message, fields }: ApiError, sentence: string, hint: string): string {
  const what = fields?.['message'];
  if (code !== 'PAYMENT_REQUIRED' || message !== ERRORS.PAYMENT_REQUIRED.error)
    return typeof what === 'string' ? what : sentence;
  return typeof what === 'string' ? `${what} ${hint}` : hint;
}

/**
 * Adds the error in the format of the API that the endpoint imitates. A 402 for a wallet keeps the format of x402
 * (spec, "402 bodies").
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

/** Returns the WWW-Authenticate header for a 401 or 402 (RFC 9110, section 11.6.1; RFC 6750, section 3). */
export function authenticate(realm: string): { 'www-authenticate': string } {
  return { 'www-authenticate': `Bearer realm="${realm}"` };
}

/** Appends the remedy to the message, because many client libraries show only `error`. */
function withRemedy({ code, message }: ApiError, status: number, hint: string): string {
  return SELF_EXPLAINING.has(status) || code === 'NOT_OFFERED' || message.includes(hint)
    ? message
    : `${message} ${hint}`;
}

/** Statuses whose messages say what is wrong with the request. The remedy is then clear without a hint. */
const SELF_EXPLAINING: ReadonlySet<number> = new Set([400, 405, 422]);

const PHRASE_CHARACTERS_MAX = 240;

/**
 * Builds the reason phrase (RFC 9112, section 4), because some clients show nothing else. The phrase is the status in
 * words and then the message, as one line of printable ASCII.
 */
function reasonPhrase(status: number, message: string): string {
  const text = message
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return `${STATUS_CODES[status] ?? 'Error'}: ${text.length > PHRASE_CHARACTERS_MAX ? `${text.slice(0, PHRASE_CHARACTERS_MAX - 3)}...` : text}`;
}
