type Schema = Readonly<Record<string, unknown>>;

const TRIES_MAX = 2_100;

/**
 * Returns the value, or the nearest allowed variant that is not in `taken`: another enum member, a nearby number, a
 * string with a number appended, or an object with one varied property. Returns the value itself if every variant is
 * taken.
 *
 * @param taken values as JSON
 */
export function variantOf(value: unknown, schema: Schema, taken: ReadonlySet<string>): unknown {
  for (let count = 0; count < TRIES_MAX; count++) {
    const variant = count === 0 ? value : nth(value, schema, count);
    if (variant === undefined) break;
    if (!taken.has(JSON.stringify(variant))) return variant;
  }
  return value;
}

/** Returns the variant with this number; undefined beyond the last variant. */
function nth(value: unknown, schema: Schema, count: number): unknown {
  if ('const' in schema) return undefined;
  if (Array.isArray(schema['enum'])) return schema['enum'][count] as unknown;
  if (typeof value === 'boolean') return count === 1 ? !value : undefined;
  if (typeof value === 'number') return number(value, schema, count);
  if (typeof value === 'string') return text(value, schema, count);
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? object(value as Record<string, unknown>, schema, count)
    : undefined;
}

/** Counts upwards if the bounds allow it, else downwards. */
function number(value: number, schema: Schema, count: number): number | undefined {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
    multipleOf = 1,
  } = schema as Record<string, number | undefined>;
  const allowed = (each: number) =>
    each >= minimum && each <= maximum && each > exclusiveMinimum && each < exclusiveMaximum;
  return [value + count * multipleOf, value - count * multipleOf].find(allowed);
}

function text(value: string, { maxLength, pattern, format }: Schema, count: number): string | undefined {
  if (pattern !== undefined || format !== undefined) return undefined;
  const end = ` ${count + 1}`;
  const most = typeof maxLength === 'number' ? maxLength : Infinity;
  const fits = end.length <= most ? end : String(count);
  return fits.length > most
    ? undefined
    : `${[...value].slice(0, Math.max(0, Math.min([...value].length, most - fits.length))).join('')}${fits}`;
}

function object(value: Record<string, unknown>, schema: Schema, count: number): Record<string, unknown> | undefined {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema | undefined>;
  for (const [name, each] of Object.entries(value)) {
    const variant = nth(each, properties[name] ?? {}, count);
    if (variant !== undefined) return { ...value, [name]: variant };
  }
  return undefined;
}
