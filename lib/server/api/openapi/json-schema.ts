import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Direction that a schema describes. Input and output differ for fields with a default or a transformation. */
type Side = 'input' | 'output';

/**
 * Returns the JSON Schema (2020-12) of a Zod schema, for OpenAPI 3.1. A schema with an id becomes a reference to an
 * entry of `components`.
 */
export function jsonSchemaOf(schema: z.ZodType, components: Json, side: Side): Json {
  const {
    $defs,
    $schema: _dialect,
    ...whole
  } = z.toJSONSchema(schema, { io: side, unrepresentable: 'any', override: correct }) as Json & {
    $defs?: Record<string, Json>;
  };
  for (const [id, definition] of Object.entries($defs ?? {})) components[id] = withoutId(tidy(definition) as Json);
  const id = z.globalRegistry.get(schema)?.id;
  // For a schema with an id, Zod may already have returned a reference.
  if (!id || '$ref' in whole) return tidy(whole) as Json;
  components[id] = withoutId(tidy(whole) as Json);
  return { $ref: `#/components/schemas/${id}` };
}

function correct({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def } = zodSchema._zod;
  if (def.type === 'bigint') jsonSchema.type = 'integer';
  // Allows unknown fields, because future answers may have more fields. Strict request schemas still refuse unknown
  // fields.
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
}

/** Redirects references to `#/components/schemas/`. Drops an `anyOf` if one of its alternatives accepts any value. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const tidied = Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === '$ref' && typeof item === 'string'
        ? [key, item.replace('#/$defs/', '#/components/schemas/')]
        : [key, tidy(item)],
    ),
  );
  const { anyOf } = tidied;
  if (Array.isArray(anyOf) && anyOf.some((choice) => Object.keys(choice as object).length === 0)) delete tidied.anyOf;
  return tidied;
}

function withoutId({ id: _id, $id: _$id, ...schema }: Json): Json {
  return schema;
}
