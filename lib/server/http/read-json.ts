import type { z } from 'zod';
import type { Call } from './call';
import { requireJson } from './json-body';
import { parseJson } from './parse-json';
import { validated } from './validation-error';

/** What a body is read from. */
export type JsonSource = Pick<Call, 'header' | 'readBody'>;

/**
 * The body of a call, as its schema reads it.
 * @throws ApiError 415 for another content type, 413 beyond `bytesMax`, and 400 with details: EMPTY_BODY,
 *   INVALID_ENCODING, INVALID_JSON, or INVALID_REQUEST with a tree that names each invalid field.
 */
export async function readJson<Schema extends z.ZodType>(call: JsonSource, schema: Schema, bytesMax: number): Promise<z.output<Schema>> {
  requireJson(call);
  return validated(schema, parseJson(await call.readBody(bytesMax)), 'The request body');
}
