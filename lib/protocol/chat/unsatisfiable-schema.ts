import type { JsonObject } from './json-pointer';

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
      found.push({ keyword: least, message: `Must be at most ${max.toLocaleString('en-US')}: no reply fits.` });
    else if (typeof to === 'number' && from > to)
      found.push({ keyword: least, message: `Is above ${most}: no reply fits.` });
  }
  if (isEmptyRange(schema))
    found.push({
      keyword: 'minimum' in schema ? 'minimum' : 'exclusiveMinimum',
      message: 'Leaves no number between this and the maximum: no reply fits.',
    });
  if (comparesTooMany(schema))
    found.push({
      keyword: 'uniqueItems',
      message: `Needs items of a scalar type, or maxItems of at most ${COMPARED_ITEMS_MAX.toLocaleString('en-US')}: other items take too long to compare.`,
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
