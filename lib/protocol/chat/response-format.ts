import { z } from 'zod';
import type { ErrorTree } from '../errors';
import { isPlainObject, type JsonObject } from './json-pointer';
import { strictSchemaFaults } from './strict-schema';

/** Reply format with a JSON schema (spec, "Structured-output request field response_format"). */
const jsonSchemaFormat = z.looseObject({
  type: z.literal('json_schema'),
  json_schema: z.looseObject({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Must be 1 to 64 letters, digits, "_" or "-"'),
    strict: z.literal(true, 'Must be true'),
    // `z.record` would drop a member named __proto__, which the upstream would still receive.
    schema: z.custom<JsonObject>(isPlainObject, 'Must be an object'),
  }),
});

/** Reply formats. The gateway leaves `text` and `json_object` to the upstream. */
export const responseFormatSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  jsonSchemaFormat,
]);

type ResponseFormat = z.output<typeof responseFormatSchema>;
type JsonSchemaFormat = z.output<typeof jsonSchemaFormat>;

export function isJsonSchemaFormat(format: ResponseFormat | null | undefined): format is JsonSchemaFormat {
  return format?.type === 'json_schema';
}

export const FORMAT_PATHS = {
  chat: ['response_format'],
  responses: ['text', 'format'],
  messages: ['output_config', 'format'],
} as const;

export type FormatApi = keyof typeof FORMAT_PATHS;

/** Returns why the schema is refused, as a tree of messages by path in the request; null if it is not. */
export function schemaFaults({ json_schema: { schema } }: JsonSchemaFormat, api: FormatApi): ErrorTree | null {
  const faults = strictSchemaFaults(schema, api === 'messages');
  return faults && schemaTree(faults, api);
}

/** Nests a schema's messages under the request's path. */
export function schemaTree(faults: ErrorTree, api: FormatApi): ErrorTree {
  return [...FORMAT_PATHS[api], ...(api === 'chat' ? ['json_schema'] : []), 'schema'].reduceRight<ErrorTree>(
    (tree, step) => ({ _errors: [], [step]: tree }),
    faults,
  );
}

/** Leaves out `strict` if the schema has optional properties. */
export function sentFormat(format: JsonSchemaFormat): object {
  const { strict: _strict, ...loose } = format.json_schema;
  return strictSchemaFaults(loose.schema) === null ? format : { ...format, json_schema: loose };
}
