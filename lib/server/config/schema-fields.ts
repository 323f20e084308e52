import { z } from 'zod';

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** Returns the field names that the schema allows at a path; an empty list if the object's keys are free. */
export function fieldNames(schema: z.ZodType, steps: readonly PropertyKey[]): string[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const places = steps.reduce<JsonSchema[]>(
    (all, step) => all.flatMap(alternatives).flatMap((each) => below(each, step)),
    [root],
  );
  return [...new Set(places.flatMap(alternatives).flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...inner.flatMap(alternatives)];
}

function below({ properties, additionalProperties, items }: JsonSchema, step: PropertyKey): JsonSchema[] {
  if (typeof step === 'number') return items ? [items] : [];
  const named = Object.hasOwn(properties ?? {}, step) ? properties?.[String(step)] : undefined;
  if (named) return [named];
  return typeof additionalProperties === 'object' ? [additionalProperties] : [];
}
