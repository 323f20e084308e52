import type { z } from 'zod';
import type { Call } from './call';
import { validated } from './validation-error';

/** The query of a call, as its schema reads it; of a name that stands there twice, the last. @throws ApiError 400 with details. */
export function readQuery<Schema extends z.ZodType>(call: Call, schema: Schema): z.output<Schema> {
  return validated(schema, Object.fromEntries(call.query), 'The query');
}
