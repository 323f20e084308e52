import { isPlainObject, type JsonObject, locate, localTarget } from './json-pointer';

/** Keywords whose schemas look at the same value as the schema that has them. */
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const SINGLES = ['not', 'if', 'then', 'else'];
const MAPS = ['dependentSchemas', 'dependencies'];
const REFERENCES = ['$ref', '$dynamicRef'];

/**
 * Whether a schema comes back to itself without going down into a member or an item: checking a value against it
 * would never end. Every reference must lead somewhere.
 */
export function repeatsInPlace(root: JsonObject): boolean {
  const done = new Set<object>();
  const running = new Set<object>();
  const repeats = (schema: unknown): boolean => {
    if (!isPlainObject(schema) || done.has(schema)) return false;
    if (running.has(schema)) return true;
    running.add(schema);
    const found = inPlaceOf(schema, root).some(repeats);
    running.delete(schema);
    done.add(schema);
    return found;
  };
  return everySchema(root).some(repeats);
}

function inPlaceOf(schema: JsonObject, root: JsonObject): unknown[] {
  const referred = REFERENCES.flatMap((keyword) => {
    const reference = schema[keyword];
    const target = typeof reference === 'string' ? localTarget(reference) : null;
    return target === null ? [] : [locate(root, target)];
  });
  const listed = LISTS.flatMap((keyword) => (Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : []));
  const mapped = MAPS.flatMap((keyword) => (isPlainObject(schema[keyword]) ? Object.values(schema[keyword]) : []));
  return [...referred, ...listed, ...mapped, ...SINGLES.map((keyword) => schema[keyword])];
}

function everySchema(root: JsonObject): object[] {
  const found: object[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const place = open.pop();
    if (typeof place !== 'object' || place === null) continue;
    found.push(place);
    open.push(...Object.values(place));
  }
  return found;
}
