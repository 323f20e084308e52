import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Which side of a schema is described: what may be sent, or what comes. They differ by defaults and transformations. */
export type Side = 'input' | 'output';

/**
 * The JSON Schema (2020-12) of a schema, as OpenAPI 3.1 has it. Schemas that have an id are put into `components`
 * under it, and referred to.
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
  // A schema with an id may come as a reference to its own definition.
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
  // Answers may have more members one day: only requests that refuse unknown ones are closed.
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
}

/** References lead to the components, and a choice that anything fits is none. */
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
