import { isPlainObject, type JsonObject, localTarget } from './json-pointer';
import { KEYWORDS } from './json-schema-keywords';
import type { SchemaPlaces } from './schema-places';

/** A schema that another one holds or refers to. */
export interface Subschema {
  schema: JsonObject;
  path: readonly string[];
  /** Whether a value that the other schema looks at, or a member or an item of it, is held to this one. */
  isApplied: boolean;
  /** Whether it looks at the same value, rather than at a member or an item of it. */
  isInPlace: boolean;
}

const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']);
const REFERENCES = ['$ref', '$dynamicRef'] as const;
/** They hold schemas, and apply none of them. */
const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** The parts of a schema, and what its references lead to. */
export function subschemasOf(schema: JsonObject, path: readonly string[], places: SchemaPlaces): Subschema[] {
  const found: Subschema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (shape === undefined || shape === 'plain') continue;
    const isApplied = !DEFINITIONS.has(keyword);
    for (const { schema: part, steps } of partsOf(shape, value)) found.push({ schema: part, path: [...path, keyword, ...steps], isApplied, isInPlace: IN_PLACE.has(keyword) });
  }
  for (const keyword of REFERENCES) {
    const reference = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    const target = typeof reference === 'string' ? localTarget(reference) : null;
    const referred = target && places.locate(target);
    if (isPlainObject(referred)) found.push({ schema: referred, path: target?.kind === 'pointer' ? target.steps : [...path, keyword], isApplied: true, isInPlace: true });
  }
  return found;
}

interface Part {
  steps: string[];
  schema: JsonObject;
}

function partsOf(shape: string, value: unknown): Part[] {
  const isMap = shape === 'schema-map' || shape === 'test-map' || shape === 'dependencies';
  const parts = isMap && isPlainObject(value) ? Object.entries(value) : Array.isArray(value) ? value.map((part: unknown, index): [string, unknown] => [String(index), part]) : null;
  if (parts) return parts.flatMap(([step, schema]) => (isPlainObject(schema) ? [{ steps: [step], schema }] : []));
  return isPlainObject(value) && !isMap ? [{ steps: [], schema: value }] : [];
}
