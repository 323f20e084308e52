import { z } from 'zod';
import type { ErrorTree } from '../errors';
import { isPlainObject, type JsonObject } from './json-pointer';
import { strictSchemaFaults } from './strict-schema';

/** A reply that is a JSON document of this schema (spec, "Structured-output request field response_format"). */
const jsonSchemaFormat = z.looseObject({
  type: z.literal('json_schema'),
  json_schema: z.looseObject({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Must be 1 to 64 letters, digits, "_" or "-"'),
    strict: z.literal(true, 'Must be true'),
    // As it is: a record would leave out a member named __proto__, which the upstream would get.
    schema: z.custom<JsonObject>(isPlainObject, 'Must be an object'),
  }),
});

/** The three kinds; `text` and `json_object` are the upstream's own matter. */
export const responseFormatSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  jsonSchemaFormat,
]);

export type ResponseFormat = z.output<typeof responseFormatSchema>;
export type JsonSchemaFormat = z.output<typeof jsonSchemaFormat>;

/** Whether a reply is to be held to a schema. */
export function isJsonSchemaFormat(format: ResponseFormat | null | undefined): format is JsonSchemaFormat {
  return format?.type === 'json_schema';
}

/** What keeps the schema from being strict, as a tree of messages by path from the request's top; null for nothing. */
export function schemaFaults({ json_schema: { schema } }: JsonSchemaFormat): ErrorTree | null {
  const faults = strictSchemaFaults(schema);
  return faults && schemaTree(faults);
}

/** Faults of a schema as those of the request that it came in. */
export function schemaTree(faults: ErrorTree): ErrorTree {
  return { _errors: [], response_format: { _errors: [], json_schema: { _errors: [], schema: faults } } };
}
