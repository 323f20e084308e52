import { type ApiError, ERRORS } from '@/lib/protocol/errors';
import { json, type Reply } from './call';

/**
 * The answer that an error is: a StandardError, or a DetailedError where it has details (spec, "Error bodies"),
 * with the stable code and a hint of what to do.
 */
export function errorReply(error: ApiError): Reply {
  const { status, hint } = ERRORS[error.code];
  const body = {
    error: error.message,
    code: error.code,
    hint,
    ...(error.details ? { details: error.details } : {}),
    ...error.fields,
  };
  return json(body, status, { ...error.headers });
}
