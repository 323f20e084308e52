import { isRecord } from '@/lib/protocol/json-record';
import { formatCount } from '@/lib/browser/text/amounts';
import type { Schema } from './api-description';

/** Describes only one level of a schema, because a schema may contain itself. */
export interface SchemaView {
  /** Short name of the type: `string`, `array of RpcRequest`, `integer or string or null`. */
  typeName: string;
  /** Name of the referenced schema; null if no schema is referenced. */
  refName: string | null;
  description: string;
  /** Rules beyond the type, as short phrases: `1 to 255 characters`, `one of "mp3", "wav"`. */
  rules: readonly string[];
  parts: readonly SchemaPart[];
}

export interface SchemaPart {
  /** Member name, or `each item`, `choice 1`, `any other`. */
  name: string;
  isMember: boolean;
  required: boolean;
  schema: Schema;
}

type Schemas = ReadonlyMap<string, Schema>;

/** Describes one level of a schema. Follows a reference to a named schema. */
export function describeSchema(schema: Schema, schemas: Schemas): SchemaView {
  const refName = refOf(schema);
  const target = refName === null ? schema : (schemas.get(refName) ?? {});
  return {
    typeName: typeNameOf(schema, schemas),
    refName,
    description: textOf(schema.description) || textOf(target.description),
    rules: rulesOf(target),
    parts: partsOf(target, schemas),
  };
}

function typeNameOf(schema: Schema, schemas: Schemas): string {
  const ref = refOf(schema);
  if (ref !== null) return ref;
  const choices = choicesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map((choice) => typeNameOf(choice, schemas)))].join(' or ');
  if (schema.type === 'array')
    return isRecord(schema.items) && Object.keys(schema.items).length > 0
      ? `array of ${typeNameOf(schema.items, schemas)}`
      : 'array';
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (typeof schema.type === 'string')
    return textOf(schema.format) ? `${schema.type} (${textOf(schema.format)})` : schema.type;
  if ('const' in schema) return schema.const === null ? 'null' : typeof schema.const;
  return 'any';
}

function partsOf(schema: Schema, schemas: Schemas): SchemaPart[] {
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : [];
  const members = Object.entries(isRecord(schema.properties) ? schema.properties : {}).flatMap(
    ([name, member]): SchemaPart[] =>
      isRecord(member) ? [{ name, isMember: true, required: required.includes(name), schema: member }] : [],
  );
  const others =
    isRecord(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0
      ? [unnamed('any other', schema.additionalProperties)]
      : [];
  const items =
    isRecord(schema.items) && isWorthOpening(schema.items, schemas) ? [unnamed('each item', schema.items)] : [];
  const choices = choicesOf(schema);
  const shownChoices = choices.some((choice) => isWorthOpening(choice, schemas))
    ? choices.map((choice, index) => unnamed(`choice ${index + 1}`, choice))
    : [];
  return [...members, ...others, ...items, ...shownChoices];
}

function isWorthOpening(schema: Schema, schemas: Schemas): boolean {
  if (refOf(schema) !== null) return true;
  return rulesOf(schema).length > 0 || textOf(schema.description) !== '' || partsOf(schema, schemas).length > 0;
}

function unnamed(name: string, schema: Schema): SchemaPart {
  return { name, isMember: false, required: false, schema };
}

function rulesOf(schema: Schema): string[] {
  const values = Array.isArray(schema.enum) ? (schema.enum as unknown[]) : [];
  return [
    'const' in schema ? `always ${JSON.stringify(schema.const)}` : '',
    values.length > 0 ? `one of ${values.map((value) => JSON.stringify(value)).join(', ')}` : '',
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    numberRange(schema),
    textOf(schema.pattern) ? `matches ${textOf(schema.pattern)}` : '',
    'default' in schema ? `default ${JSON.stringify(schema.default)}` : '',
    schema.additionalProperties === false ? 'no other members' : '',
  ].filter((rule) => rule !== '');
}

function range(min: unknown, max: unknown, unit: string): string {
  const units = (count: number) => `${formatCount(count)} ${unit}${count === 1 ? '' : 's'}`;
  if (typeof min === 'number' && typeof max === 'number')
    return min === max ? `exactly ${units(min)}` : `${formatCount(min)} to ${units(max)}`;
  if (typeof min === 'number') return `at least ${units(min)}`;
  return typeof max === 'number' ? `at most ${units(max)}` : '';
}

function numberRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  // Leaves out bounds that every JavaScript integer satisfies.
  const stated = (bound: unknown) => typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return [
    stated(minimum) ? `from ${String(minimum)}` : '',
    stated(exclusiveMinimum) ? `over ${String(exclusiveMinimum)}` : '',
    stated(maximum) ? `to ${String(maximum)}` : '',
    stated(exclusiveMaximum) ? `under ${String(exclusiveMaximum)}` : '',
  ]
    .filter((bound) => bound !== '')
    .join(' ');
}

function choicesOf(schema: Schema): Schema[] {
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].find((list) => Array.isArray(list)) as
    | unknown[]
    | undefined;
  return choices?.filter(isRecord) ?? [];
}

const REF_PREFIX = '#/components/schemas/';

function refOf({ $ref }: Schema): string | null {
  return typeof $ref === 'string' && $ref.startsWith(REF_PREFIX) ? $ref.slice(REF_PREFIX.length) : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
