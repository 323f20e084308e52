import { apiError, requestError } from '@/lib/protocol/errors';

const decoder = new TextDecoder('utf-8', { fatal: true });
const markKeepingDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The JSON of a request's body. A byte order mark before it is passed over, as RFC 8259 (section 8.1) allows, unless
 * `refusesMark` says that the bytes are to be passed on to somebody who may not.
 * @throws ApiError 400 with details: EMPTY_BODY, INVALID_ENCODING or INVALID_JSON
 */
export function parseJson(bytes: Uint8Array, { refusesMark = false } = {}): unknown {
  let text: string;
  try {
    text = (refusesMark ? markKeepingDecoder : decoder).decode(bytes);
  } catch {
    throw requestError('INVALID_ENCODING');
  }
  if (text.trim() === '') throw apiError('EMPTY_BODY', { message: 'The request body is empty: a JSON object is expected.', details: { _errors: ['The request body is empty.'] } });
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw requestError('INVALID_JSON');
  }
}
