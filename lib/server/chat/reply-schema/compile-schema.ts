import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { NOTED_FORMATS } from '@/lib/protocol/chat/json-schema-keywords';

/**
 * What is wrong with a schema was found before: checking it against its own standard takes longer than compiling it.
 * References are not put in place, and the code is not optimized: both take time that grows with the square of the
 * schema, or with what it expands to. Members count that the reply has itself, not those that every object inherits.
 */
const OPTIONS: Options = {
  strict: false,
  validateSchema: false,
  logger: false,
  validateFormats: true,
  inlineRefs: false,
  ownProperties: true,
  multipleOfPrecision: 6,
  code: { optimize: false },
};
/** Formats of the standard that the library does not check. */
const UNCHECKED_FORMATS = ['idn-email', 'idn-hostname', 'iri', 'iri-reference', ...NOTED_FORMATS];
/** Members whose values are no schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'type']);

/**
 * What checks values against a schema. Each in a library of its own, so that "#" and anchors are those of this schema.
 * Its own name is left out: a strict one has it at the top only, and refers to it nowhere.
 * @param schema one that is strict, as `strictSchemaFaults` tells
 * @throws Error with a sentence about a place of the schema
 */
export function compileSchema({
  $schema: version,
  $id: _id,
  ...schema
}: Readonly<Record<string, unknown>>): ValidateFunction {
  const ajv = typeof version === 'string' && version.includes('draft-07') ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  addFormats(ajv);
  for (const name of UNCHECKED_FORMATS) ajv.addFormat(name, true);
  return ajv.compile(withRootAnchor(withTypedNulls(schema) as Record<string, unknown>));
}

/** The library finds anchors below the top only: that of the top is moved to a part that refers to it. */
function withRootAnchor({ $anchor, ...schema }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (typeof $anchor !== 'string') return schema;
  const $defs = schema['$defs'] as Record<string, unknown> | undefined;
  return {
    ...schema,
    $defs: { ...$defs, [`anchor of the top ${Object.keys($defs ?? {}).join(' ')}`]: { $anchor, $ref: '#' } },
  };
}

/** OpenAPI's `nullable` means something beside a type alone; the library refuses it elsewhere, so that it is left out there. */
function withTypedNulls(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withTypedNulls);
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(
    ([name, value]) => name !== 'nullable' || typeof value !== 'boolean' || Object.hasOwn(part, 'type'),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, VALUES.has(name) ? value : withTypedNulls(value)]));
}
