import { apiError } from '@/lib/protocol/errors';
import type { Call } from './call';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json(?:-rpc)?\s*(?:;|$)/i;

/**
 * Refuses a body that is not announced as JSON. A missing Content-Type is let through: the parser then decides.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE
 */
export function requireJson(call: Pick<Call, 'header'>): void {
  const type = call.header('content-type');
  if (type !== null && type !== 'application/json' && !JSON_TYPE.test(type)) {
    throw apiError('UNSUPPORTED_MEDIA_TYPE', { message: `The request body must be JSON; the Content-Type is ${JSON.stringify(type.slice(0, 100))}.` });
  }
  const encoding = call.header('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw apiError('UNSUPPORTED_MEDIA_TYPE', { message: `The Content-Encoding ${JSON.stringify(encoding.slice(0, 100))} is not supported.` });
  }
}
