import { isPlainObject, type JsonObject } from './json-pointer';
import { KEYWORDS } from './json-schema-keywords';
import { NOWHERE, type SchemaPlaces } from './schema-places';

/** Schema that another schema contains or references. */
interface Subschema {
  schema: JsonObject;
  /** Path from the containing schema, or from the document's top if `isFromTop`. */
  steps: readonly string[];
  isFromTop: boolean;
  /** True if applied to the value, its members or its items. False for definitions. */
  isApplied: boolean;
  /** True if this schema checks the same value as the containing schema. */
  isInPlace: boolean;
}

const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);
const REFERENCES = ['$ref', '$dynamicRef'] as const;
/** Keywords that contain schemas without applying them. */
const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

export function subschemasOf(schema: JsonObject, places: SchemaPlaces): Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of Object.keys(schema)) {
    const shape = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (shape !== undefined && shape !== 'plain') addParts(found, keyword, shape, schema[keyword]);
  }
  for (const keyword of REFERENCES) {
    const reference = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    const { target, place } = typeof reference === 'string' ? places.follow(reference) : NOWHERE;
    if (!isPlainObject(place)) continue;
    const isFromTop = target?.kind === 'pointer';
    found.push({
      schema: place,
      steps: isFromTop ? target.steps : [keyword],
      isFromTop,
      isApplied: true,
      isInPlace: true,
    });
  }
  return found;
}

function addParts(found: Subschema[], keyword: string, shape: string, value: unknown): void {
  const isApplied = !DEFINITIONS.has(keyword);
  const isInPlace = IN_PLACE.has(keyword);
  const isMap = shape === 'schema-map' || shape === 'test-map' || shape === 'dependencies';
  const add = (part: unknown, steps: readonly string[]): void => {
    if (isPlainObject(part)) found.push({ schema: part, steps, isFromTop: false, isApplied, isInPlace });
  };
  if (Array.isArray(value)) for (const [index, part] of value.entries()) add(part, [keyword, String(index)]);
  else if (isMap && isPlainObject(value)) for (const name of Object.keys(value)) add(value[name], [keyword, name]);
  else if (!isMap) add(value, [keyword]);
}
