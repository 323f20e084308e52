export type ErrorForm = 'openai' | 'anthropic' | 'gateway';

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
/** Error details that make Anthropic's client send the whole conversation again. */
const ANTHROPIC_DETAILS: Readonly<Record<string, object>> = { THREAD_NOT_KEPT: { error_code: 'thread_not_found' } };

export interface ToldError {
  message: string;
  code: string | null;
  hint?: string;
  param?: string | null;
}

export function errorTypeOf(status: number): string {
  return ANTHROPIC_TYPES[status] ?? (status < SERVER_ERROR_MIN ? 'invalid_request_error' : 'api_error');
}

export function errorObject({ message, code, hint, param = null }: ToldError, status: number, form: ErrorForm): object {
  const more = hint === undefined ? {} : { hint };
  if (form === 'gateway') return { error: message, code, ...more };
  if (form === 'anthropic') {
    const details = ANTHROPIC_DETAILS[code ?? ''];
    return { type: 'error', error: { type: errorTypeOf(status), message, code, ...more, ...(details && { details }) } };
  }
  return { error: { message, type: code ?? 'error', code, param, ...more } };
}

/**
 * Formats an error as an event's data in a chat stream. The type is the same for every error, because programs such as
 * qwen-code retry errors of any other type, at their user's cost.
 */
export function streamedErrorObject({ message, code }: Pick<ToldError, 'message' | 'code'>): object {
  return { error: { message, type: 'invalid_request_error', code, param: null } };
}
