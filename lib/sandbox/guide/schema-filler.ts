import { localTarget } from '@/lib/protocol/chat/json-pointer';
import { SchemaPlaces } from '@/lib/protocol/chat/schema-places';
import { textForPattern } from './pattern-text';

type Schema = Readonly<Record<string, unknown>>;

const TRIES_MAX = 2_100;

/**
 * Returns the value if it is not in `taken`, else its first allowed variant outside `taken`: another enum member, a
 * nearby number, a string with a number appended, or an object with one changed property. Returns the value itself if
 * every variant is taken.
 *
 * @param taken forbidden values, as JSON
 */
function variantOf(value: unknown, schema: Schema, taken: ReadonlySet<string>): unknown {
  for (let count = 0; count < TRIES_MAX; count++) {
    const variant = count === 0 ? value : nth(value, schema, count);
    if (variant === undefined) break;
    if (!taken.has(JSON.stringify(variant))) return variant;
  }
  return value;
}

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

interface Filling {
  text: string;
  isFound: boolean;
}

const DEPTH_MAX = 6;
/** After this many values, further values are as short as possible. After twice as many, they are null. */
const VALUES_MAX = 2_000;
/** Maximum depth. Deeper levels are null, even if the schema forbids null. */
const NESTING_MAX = 64;
const REFERENCES_MAX = 8;
const TEXT_CHARACTERS_MAX = 400;
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'guide@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/**
 * Fills a JSON Schema of structured output. Strings get the guide's passage, other types the simplest allowed value.
 */
export function fillSchema(root: Schema, filling: Filling): unknown {
  return new SchemaFiller(root, filling).fill(root, 0);
}

class SchemaFiller {
  #values = 0;
  readonly #places: SchemaPlaces;

  constructor(
    root: Schema,
    private readonly filling: Filling,
  ) {
    this.#places = new SchemaPlaces(root);
  }

  fill(given: unknown, level: number): unknown {
    this.#values += 1;
    if (this.#values > 2 * VALUES_MAX || level > NESTING_MAX) return null;
    const depth = this.#values > VALUES_MAX ? Math.max(level, DEPTH_MAX) : level;
    const schema = this.#resolve(given, depth);
    if ('const' in schema) return schema['const'];
    if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
    switch (typeOf(schema, depth)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, depth);
      case 'integer':
        return numberFor(schema, true);
      case 'number':
        return numberFor(schema, false);
      case 'boolean':
        return this.filling.isFound;
      case 'null':
        return null;
      default:
        return this.#string(schema);
    }
  }

  /** Follows local references, merges `allOf`, and chooses one branch of `anyOf` or `oneOf`. */
  #resolve(given: unknown, depth: number, stepsMax = REFERENCES_MAX): Schema {
    let schema = asSchema(given);
    for (let step = 0; step < stepsMax; step++) {
      const { $ref, anyOf, oneOf, allOf, ...rest } = schema as Schema & {
        $ref?: unknown;
        anyOf?: unknown;
        oneOf?: unknown;
        allOf?: unknown;
      };
      const choices = anyOf ?? oneOf;
      if (typeof $ref === 'string') schema = { ...this.#target($ref), ...rest };
      else if (Array.isArray(choices) && choices.length > 0) schema = { ...rest, ...this.#choice(choices, depth) };
      else if (Array.isArray(allOf))
        schema = (allOf as unknown[]).reduce<Schema>(
          (merged, part) => merge(merged, this.#resolve(part, depth, stepsMax - step - 1)),
          rest,
        );
      else return schema;
    }
    return schema;
  }

  #target(ref: string): Schema {
    const target = localTarget(ref);
    return asSchema(target && this.#places.locate(target));
  }

  /** Prefers null if the guide found no passage or the recursion is deep. */
  #choice(choices: readonly unknown[], depth: number): Schema {
    const schemas = choices.map(asSchema);
    const isNull = ({ type }: Schema) => type === 'null';
    return (
      (this.filling.isFound && depth < DEPTH_MAX ? schemas.find((schema) => !isNull(schema)) : schemas.find(isNull)) ??
      (schemas[0] as Schema)
    );
  }

  #object(schema: Schema, depth: number): Record<string, unknown> {
    const properties = asSchema(schema['properties']);
    const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
    const names = depth < DEPTH_MAX ? [...new Set([...Object.keys(properties), ...required])] : required;
    return Object.fromEntries(names.map((name) => [name, this.fill(properties[name] ?? {}, depth + 1)]));
  }

  #array(schema: Schema, depth: number): unknown[] {
    const prefix = Array.isArray(schema['prefixItems']) ? (schema['prefixItems'] as unknown[]) : [];
    const contained = schema['contains'] === undefined ? 0 : countOf(schema['minContains'], 1);
    const least = Math.max(countOf(schema['minItems'], 0), contained);
    const wanted = depth < DEPTH_MAX ? Math.max(1, least, prefix.length) : least;
    const length = Math.min(wanted, countOf(schema['maxItems'], wanted), VALUES_MAX);
    const values: unknown[] = [];
    const taken = new Set<string>();
    for (let index = 0; index < length; index++) {
      const item = prefix[index] ?? schema['items'] ?? {};
      // The last items satisfy `contains`, unless `prefixItems` describes them.
      const given =
        index >= length - contained && index >= prefix.length
          ? merge(this.#resolve(item, depth), this.#resolve(schema['contains'], depth))
          : item;
      const value = this.fill(given, depth + 1);
      values.push(schema['uniqueItems'] === true ? variantOf(value, this.#resolve(given, depth), taken) : value);
      taken.add(JSON.stringify(values.at(-1)));
    }
    return values;
  }

  #string(schema: Schema): string {
    const { format, pattern } = schema;
    if (typeof pattern === 'string') return textForPattern(pattern) ?? this.filling.text.slice(0, TEXT_CHARACTERS_MAX);
    if (typeof format === 'string' && FORMATS[format] !== undefined) return FORMATS[format];
    const characters = [...this.filling.text].slice(0, countOf(schema['maxLength'], TEXT_CHARACTERS_MAX));
    return characters.join('').padEnd(countOf(schema['minLength'], 0), '.');
  }
}

/** From a list of types, prefers null at the depth limit, else the first type other than null. */
function typeOf(schema: Schema, depth: number): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type))
    return (
      depth >= DEPTH_MAX && type.includes('null') ? 'null' : (type.find((each) => each !== 'null') ?? 'null')
    ) as string;
  if (schema['properties']) return 'object';
  return schema['items'] || schema['prefixItems'] ? 'array' : 'string';
}

function numberFor(schema: Schema, isWhole: boolean): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<
    string,
    number | undefined
  >;
  const step = multipleOf ?? (isWhole ? 1 : 0.5);
  const low = Math.max(minimum ?? -Infinity, exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + step / 2);
  const high = Math.min(maximum ?? Infinity, exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - step / 2);
  if (low <= 0 && high >= 0) return 0;
  const candidate = low > 0 ? Math.ceil(low / step) * step : Math.floor(high / step) * step;
  return candidate >= low && candidate <= high ? candidate : (low + high) / 2;
}

function merge(a: Schema, b: Schema): Schema {
  const properties = { ...asSchema(a['properties']), ...asSchema(b['properties']) };
  const required = [
    ...((a['required'] as string[] | undefined) ?? []),
    ...((b['required'] as string[] | undefined) ?? []),
  ];
  return {
    ...a,
    ...b,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

function countOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : otherwise;
}
