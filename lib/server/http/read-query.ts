import type { z } from 'zod';
import type { Call } from './call';
import { validationError } from './validation-error';

/** The query of a call, as its schema reads it; of a name that stands there twice, the last. @throws ApiError 400 with details. */
export function readQuery<Schema extends z.ZodType>(call: Call, schema: Schema): z.output<Schema> {
  const verdict = schema.safeParse(Object.fromEntries(call.query));
  if (verdict.success) return verdict.data;
  throw validationError(verdict.error, 'The query');
}
