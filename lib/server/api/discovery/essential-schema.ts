import { isRecord } from '@/lib/protocol/json-record';
import type { Json } from '../openapi/json-schema';

/** Schema keywords that do not help to fill in a request. */
const DETAILS: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'default',
  'propertyNames',
]);

/**
 * Reduces a JSON Schema to its required fields and the fields of the example, so that it fits into a header. Resolves
 * references. Reduces an `anyOf` to its first alternative that is an object.
 * @param components named schemas, as in OpenAPI
 */
export function essentialSchema(schema: Json, example: unknown, components: Json): Json {
  const { properties, required = [], ...rest } = objectChoice(resolved(schema, components), components);
  const names = new Set([...(required as string[]), ...Object.keys(isRecord(example) ? example : {})]);
  const kept = Object.entries(isRecord(properties) ? properties : {}).filter(([name]) => names.has(name));
  return {
    ...(simplified(rest, components) as Json),
    properties: Object.fromEntries(kept.map(([name, property]) => [name, simplified(property, components)])),
    ...((required as string[]).length > 0 ? { required } : {}),
  };
}

function objectChoice(schema: Json, components: Json): Json {
  if (!Array.isArray(schema.anyOf)) return schema;
  const choices = (schema.anyOf as Json[]).map((choice) => resolved(choice, components));
  return choices.find(({ type }) => type === 'object') ?? schema;
}

function resolved(schema: Json, components: Json): Json {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return name === undefined ? schema : (components[name] as Json);
}

/** Resolves references and drops details. The recursion ends because named schemas do not refer to themselves. */
function simplified(value: unknown, components: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => simplified(item, components));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(resolved(value, components)).flatMap(([key, item]) =>
      DETAILS.has(key) || (key === 'additionalProperties' && item !== false)
        ? []
        : [[key, simplified(item, components)]],
    ),
  );
}
