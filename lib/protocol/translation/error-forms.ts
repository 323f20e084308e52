/** The forms in which programs read errors: of OpenAI's APIs, of Anthropic's, and of the gateway itself. */
export type ErrorForm = 'openai' | 'anthropic' | 'gateway';

/** Types of Anthropic's errors, by status. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};
const SERVER_ERROR_MIN = 500;
/** Details that tell Anthropic's client to send the whole conversation again. */
const ANTHROPIC_DETAILS: Readonly<Record<string, object>> = { THREAD_NOT_KEPT: { error_code: 'thread_not_found' } };

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
  if (form === 'anthropic') {
    const details = ANTHROPIC_DETAILS[code ?? ''];
    return { type: 'error', error: { type: errorTypeOf(status), message, code, ...more, ...(details && { details }) } };
  }
  return { error: { message, type: code ?? 'error', code, param, ...more } };
}

/** An error as an event's data in a stream of chat chunks. Programs such as qwen-code repeat what has another type, at its price. */
export function streamedErrorObject({ message, code }: Pick<ToldError, 'message' | 'code'>): object {
  return { error: { message, type: 'invalid_request_error', code, param: null } };
}
