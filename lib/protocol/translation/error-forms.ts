/** The forms in which programs read errors: of OpenAI's APIs, of Anthropic's, and of the gateway itself. */
export type ErrorForm = 'openai' | 'anthropic' | 'gateway';

/** Types of Anthropic's errors, by status. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = { 400: 'invalid_request_error', 401: 'authentication_error', 402: 'billing_error', 403: 'permission_error', 404: 'not_found_error', 413: 'request_too_large', 429: 'rate_limit_error', 503: 'overloaded_error', 504: 'timeout_error' };
const SERVER_ERROR_MIN = 500;

/** An error as the sentence, the code and the remedy that programs are given. */
export interface ToldError {
  message: string;
  code: string | null;
  hint?: string;
  param?: string | null;
}

/** The type of an error of Anthropic's API. */
export function errorTypeOf(status: number): string {
  return ANTHROPIC_TYPES[status] ?? (status < SERVER_ERROR_MIN ? 'invalid_request_error' : 'api_error');
}

/** An error in the form that the clients of an API read. */
export function errorObject({ message, code, hint, param = null }: ToldError, status: number, form: ErrorForm): object {
  const more = hint === undefined ? {} : { hint };
  if (form === 'gateway') return { error: message, code, ...more };
  if (form === 'anthropic') return { type: 'error', error: { type: errorTypeOf(status), message, code, ...more } };
  return { error: { message, type: code ?? 'error', code, param, ...more } };
}
