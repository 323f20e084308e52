import type { z } from 'zod';
import { apiError, requestError } from '@/lib/protocol/errors';
import type { Call } from './call';
import { validated } from './validation-error';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json(?:-rpc)?\s*(?:;|$)/i;

/**
 * Refuses a body that is compressed or whose media type is not JSON. Accepts a missing Content-Type.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE
 */
export function requireJson(call: Pick<Call, 'header'>): void {
  const type = call.header('content-type');
  if (type !== null && type !== 'application/json' && !JSON_TYPE.test(type)) {
    throw apiError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The request body must be JSON, but the Content-Type is ${JSON.stringify(type.slice(0, 100))}.`,
    });
  }
  const encoding = call.header('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw apiError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The Content-Encoding ${JSON.stringify(encoding.slice(0, 100))} is not supported.`,
    });
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const markKeepingDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a request's JSON body. Skips a byte order mark (RFC 8259, section 8.1), or refuses it if `refusesMark` is
 * true. Callers set `refusesMark` if a stricter parser will read the same bytes.
 * @throws ApiError 400 with details: EMPTY_BODY, INVALID_ENCODING or INVALID_JSON
 */
export function parseJson(bytes: Uint8Array, { refusesMark = false } = {}): unknown {
  let text: string;
  try {
    text = (refusesMark ? markKeepingDecoder : decoder).decode(bytes);
  } catch {
    throw requestError('INVALID_ENCODING');
  }
  if (text.trim() === '')
    throw apiError('EMPTY_BODY', {
      message: 'The request body is empty. Send a JSON object.',
      details: { _errors: ['The request body is empty.'] },
    });
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw requestError('INVALID_JSON');
  }
}

type JsonSource = Pick<Call, 'header' | 'readBody'>;

/**
 * Parses a call's body by its schema.
 * @throws ApiError 415 for a content type other than JSON, 413 beyond `bytesMax`, 400 with details
 */
export async function readJson<Schema extends z.ZodType>(
  call: JsonSource,
  schema: Schema,
  bytesMax: number,
): Promise<z.output<Schema>> {
  requireJson(call);
  return validated(schema, parseJson(await call.readBody(bytesMax)), 'The request body');
}

/**
 * Parses a call's query by its schema. If a parameter is repeated, its last value applies.
 * @throws ApiError 400 with details
 */
export function readQuery<Schema extends z.ZodType>(call: Call, schema: Schema): z.output<Schema> {
  return validated(schema, Object.fromEntries(call.query), 'The query');
}
