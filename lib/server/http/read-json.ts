import type { z } from 'zod';
import { apiError, requestError } from '@/lib/protocol/errors';
import type { Call } from './call';
import { requireJson } from './json-body';
import { validated } from './validation-error';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The body of a call, as its schema reads it.
 * @throws ApiError 415 for another content type, 413 beyond `bytesMax`, and 400 with details: EMPTY_BODY,
 *   INVALID_ENCODING, INVALID_JSON, or INVALID_REQUEST with a tree that names each invalid field.
 */
export async function readJson<Schema extends z.ZodType>(call: Call, schema: Schema, bytesMax: number): Promise<z.output<Schema>> {
  requireJson(call);
  return validated(schema, parse(await call.readBody(bytesMax)), 'The request body');
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
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
