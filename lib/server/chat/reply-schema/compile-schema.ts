import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { NOTED_FORMATS } from '@/lib/protocol/chat/json-schema-keywords';

/**
 * The gateway checks schemas itself, which is faster than Ajv's check against the meta-schema. Inlining of references
 * and code optimization are off, because their time can grow much faster than the schema.
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
/** Standard formats that Ajv does not check. */
const UNCHECKED_FORMATS = ['idn-email', 'idn-hostname', 'iri', 'iri-reference', ...NOTED_FORMATS];
/** Schema keywords whose values are not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'type']);

/**
 * Compiles a validator in its own Ajv instance, so that "#" and anchors refer to this schema. Drops `$id`, which a
 * strict schema never refers to.
 * @param schema strict, according to `strictSchemaFaults`
 * @throws Error that names a place in the schema
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

/** Moves the root's anchor into a definition that refers to the root, because Ajv only finds anchors below the root. */
function withRootAnchor({ $anchor, ...schema }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (typeof $anchor !== 'string') return schema;
  const $defs = schema['$defs'] as Record<string, unknown> | undefined;
  return {
    ...schema,
    $defs: { ...$defs, [`anchor of the top ${Object.keys($defs ?? {}).join(' ')}`]: { $anchor, $ref: '#' } },
  };
}

/** Drops `nullable` from schemas without a type. OpenAPI gives `nullable` no meaning there, and Ajv refuses it. */
function withTypedNulls(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withTypedNulls);
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(
    ([name, value]) => name !== 'nullable' || typeof value !== 'boolean' || Object.hasOwn(part, 'type'),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, VALUES.has(name) ? value : withTypedNulls(value)]));
}
