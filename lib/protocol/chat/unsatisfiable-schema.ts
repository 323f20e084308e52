import { isPlainObject, type JsonObject } from './json-pointer';
import type { SchemaPlaces } from './schema-places';

/** Highest allowed `minLength`. No reply is longer. */
const LENGTH_MIN_MAX = 100_000;
const ITEMS_MIN_MAX = 10_000;
const COMPARED_ITEMS_MAX = 1_000;

/** Pairs of minimum and maximum keywords, each with the highest minimum that a schema may have. */
const COUNTS = [
  ['minLength', 'maxLength', LENGTH_MIN_MAX],
  ['minItems', 'maxItems', ITEMS_MIN_MAX],
  ['minContains', 'maxContains', ITEMS_MIN_MAX],
  ['minProperties', 'maxProperties', ITEMS_MIN_MAX],
] as const;

/** Types of items that a validator can hash instead of comparing pairwise. */
const SCALARS: ReadonlySet<unknown> = new Set(['null', 'boolean', 'number', 'integer', 'string']);

/**
 * Finds requirements that no reply could satisfy, or that take too long to check. Ignores subschemas and references.
 */
export function unsatisfiable(schema: JsonObject): { keyword: string; message: string }[] {
  const found: { keyword: string; message: string }[] = [];
  for (const [least, most, max] of COUNTS) {
    const [from, to] = [schema[least], schema[most]];
    if (typeof from !== 'number') continue;
    if (from > max)
      found.push({
        keyword: least,
        message: `Must be at most ${max.toLocaleString('en-US')}. Otherwise no reply can fit.`,
      });
    else if (typeof to === 'number' && from > to)
      found.push({ keyword: least, message: `Is above ${most}, so no reply is valid.` });
  }
  if (isEmptyRange(schema))
    found.push({
      keyword: 'minimum' in schema ? 'minimum' : 'exclusiveMinimum',
      message: 'No number lies between this and the maximum, so no reply is valid.',
    });
  if (comparesTooMany(schema))
    found.push({
      keyword: 'uniqueItems',
      message: `Needs items of a scalar type, or maxItems of at most ${COMPARED_ITEMS_MAX.toLocaleString('en-US')}, because comparing many objects or arrays takes too long.`,
    });
  return found;
}

function isEmptyRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): boolean {
  const isAbove = (low: unknown, high: unknown, mayEqual: boolean): boolean =>
    typeof low === 'number' && typeof high === 'number' && (low > high || (low === high && !mayEqual));
  return (
    isAbove(minimum, maximum, true) ||
    isAbove(minimum, exclusiveMaximum, false) ||
    isAbove(exclusiveMinimum, maximum, false) ||
    isAbove(exclusiveMinimum, exclusiveMaximum, false)
  );
}

function comparesTooMany({ uniqueItems, items, maxItems }: JsonObject): boolean {
  if (uniqueItems !== true || (typeof maxItems === 'number' && maxItems <= COMPARED_ITEMS_MAX)) return false;
  const type = typeof items === 'object' && items !== null ? (items as JsonObject)['type'] : undefined;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.length === 0 || !types.every((each) => SCALARS.has(each));
}

/** Schema of a required member or item. */
interface Part {
  schema: JsonObject;
  /** Path from the containing schema, or from the document's root if `isFromTop`. */
  steps: readonly string[];
  isFromTop?: boolean;
}

type Needs = readonly (readonly (readonly Part[])[])[];

/**
 * Finds a schema whose values must each contain another value of the same schema. No finite reply is valid, so the
 * caller would pay for a refused completion.
 *
 * @returns path to the cycle; null if a finite value is possible
 */
export function endlessPath(root: unknown, places: SchemaPlaces): readonly string[] | null {
  if (!isPlainObject(root)) return null;
  const needs = needsOf(root, places);
  const finite = finiteOf(needs);
  if (finite.has(root)) return null;
  let [at, path]: [JsonObject, readonly string[]] = [root, []];
  for (const seen = new Set<JsonObject>(); !seen.has(at);) {
    seen.add(at);
    const part = (needs.get(at) ?? [])
      .find((alternatives) => !isMet(alternatives, finite))
      ?.flat()
      .find(({ schema }) => !finite.has(schema));
    // Stops at a reference back to a visited schema, so that `path` still leads to the cycle.
    if (!part || (part.isFromTop && seen.has(part.schema))) break;
    path = part.isFromTop ? part.steps : [...path, ...part.steps];
    at = part.schema;
  }
  return path;
}

/**
 * Returns which schemas each reachable schema requires. In the result, a schema comes after the schemas that it
 * requires.
 */
function needsOf(root: JsonObject, places: SchemaPlaces): Map<JsonObject, Needs> {
  const found = new Map<JsonObject, Needs>();
  const ordered = new Map<JsonObject, Needs>();
  const open: { schema: JsonObject; isLeft: boolean }[] = [{ schema: root, isLeft: false }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, isLeft } = next;
    if (isLeft) ordered.set(schema, found.get(schema) as Needs);
    if (isLeft || found.has(schema)) continue;
    const needs = readNeeds(schema, places);
    found.set(schema, needs);
    open.push({ schema, isLeft: true });
    for (const part of needs.flat(2)) open.push({ schema: part.schema, isLeft: false });
  }
  return ordered;
}

/**
 * Returns the schemas that have a finite value. A schema in a cycle has a finite value only if some alternative leaves
 * the cycle.
 */
function finiteOf(needs: ReadonlyMap<JsonObject, Needs>): ReadonlySet<JsonObject> {
  const finite = new Set<JsonObject>();
  for (let before = -1; before < finite.size;) {
    before = finite.size;
    for (const [schema, own] of needs)
      if (!finite.has(schema) && own.every((alternatives) => isMet(alternatives, finite))) finite.add(schema);
  }
  return finite;
}

function isMet(alternatives: readonly (readonly Part[])[], finite: ReadonlySet<JsonObject>): boolean {
  return alternatives.some((parts) => parts.every(({ schema }) => finite.has(schema)));
}

function readNeeds(schema: JsonObject, places: SchemaPlaces): Needs {
  const references = ['$ref', '$dynamicRef']
    .flatMap((keyword) => referred(schema, keyword, places))
    .map((part) => [[part]]);
  const either = ['anyOf', 'oneOf']
    .filter((keyword) => Array.isArray(schema[keyword]))
    .map((keyword) => listOf(schema[keyword]).map((branch, index) => partOf(branch, [keyword, String(index)])));
  const all = listOf(schema['allOf']).map((branch, index) => [partOf(branch, ['allOf', String(index)])]);
  return [...references, ...either, ...all, ...shapesOf(schema)];
}

function referred(schema: JsonObject, keyword: string, places: SchemaPlaces): Part[] {
  const reference = schema[keyword];
  if (typeof reference !== 'string') return [];
  const { target, place } = places.follow(reference);
  if (!isPlainObject(place)) return [];
  return [
    target?.kind === 'pointer'
      ? { schema: place, steps: target.steps, isFromTop: true }
      : { schema: place, steps: [keyword] },
  ];
}

/**
 * Returns, per type that the schema allows, the schemas of required members or items. Empty for a schema without a
 * type, or with fixed values.
 */
function shapesOf(schema: JsonObject): Needs {
  const { type } = schema;
  if (type === undefined || 'const' in schema || 'enum' in schema) return [];
  return [
    (Array.isArray(type) ? type : [type]).map((each) =>
      each === 'object' ? membersOf(schema) : each === 'array' ? itemsOf(schema) : [],
    ),
  ];
}

function membersOf({ properties, required }: JsonObject): Part[] {
  if (!isPlainObject(properties)) return [];
  return listOf(required).flatMap((name) =>
    typeof name === 'string' && Object.hasOwn(properties, name) ? partOf(properties[name], ['properties', name]) : [],
  );
}

function itemsOf({ minItems, prefixItems, items, additionalItems, contains, minContains }: JsonObject): Part[] {
  // In draft-07 `items` may list tuple items; in 2020-12 `items` describes the items after `prefixItems`.
  const [tuple, rest, keywords] = Array.isArray(items)
    ? [items, additionalItems, ['items', 'additionalItems']]
    : [listOf(prefixItems), items, ['prefixItems', 'items']];
  const [first = '', all = ''] = keywords;
  const least = typeof minItems === 'number' ? minItems : 0;
  return [
    ...tuple.slice(0, least).flatMap((item: unknown, index) => partOf(item, [first, String(index)])),
    ...(least > tuple.length ? partOf(rest, [all]) : []),
    ...(minContains === 0 ? [] : partOf(contains, ['contains'])),
  ];
}

function partOf(schema: unknown, steps: readonly string[]): Part[] {
  return isPlainObject(schema) ? [{ schema, steps }] : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
