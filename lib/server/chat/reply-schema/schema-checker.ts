import { NOTED_FORMATS } from '@/lib/protocol/chat/json-schema-keywords';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * Ajv's check against the meta-schema is off, because the gateway's own check of schemas is faster. Inlining of
 * references and code optimization are off, because they can take very long for large schemas.
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
const UNCHECKED_FORMATS = ['idn-email', 'idn-hostname', 'iri', 'iri-reference', ...NOTED_FORMATS];
/** Schema keywords whose values are not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'type']);

/**
 * Compiles a validator in its own Ajv instance, so that "#" and anchors refer to this schema. Drops `$id`, because a
 * strict schema has no reference to it.
 * @param schema schema in which `strictSchemaFaults` finds no fault
 * @throws an Error whose message names a place in the schema
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

/**
 * Moves the root's anchor into a new definition that refers to the root, because Ajv does not find an anchor at the
 * root.
 */
function withRootAnchor({ $anchor, ...schema }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (typeof $anchor !== 'string') return schema;
  const $defs = schema['$defs'] as Record<string, unknown> | undefined;
  return {
    ...schema,
    $defs: { ...$defs, [`anchor of the top ${Object.keys($defs ?? {}).join(' ')}`]: { $anchor, $ref: '#' } },
  };
}

/** Drops `nullable` from schemas without a type, where it has no meaning in OpenAPI and Ajv refuses it. */
function withTypedNulls(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withTypedNulls);
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(
    ([name, value]) => name !== 'nullable' || typeof value !== 'boolean' || Object.hasOwn(part, 'type'),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, VALUES.has(name) ? value : withTypedNulls(value)]));
}

const COMPILED_MAX = 200;
const SENTENCE_MAX = 300;

/**
 * Compiles and caches schemas, and checks replies. Run this in a thread that can be terminated, because a schema or
 * reply may take arbitrarily long.
 */
export class SchemaChecker {
  readonly #compiled = new Map<string, ValidateFunction>();

  /**
   * Returns why a schema cannot be used, as a sentence; null if the schema can be used.
   *
   * @param key hash of `text`
   * @param text JSON of a schema in which `strictSchemaFaults` finds no fault
   */
  schemaFault(key: string, text: string): string | null {
    try {
      this.#validatorOf(key, text);
      return null;
    } catch (error) {
      // Ajv's message reveals only a location in the schema, so callers may see it.
      return `Cannot be used to check a reply: ${(error as Error).message}`.replace(/\s+/g, ' ').slice(0, SENTENCE_MAX);
    }
  }

  /**
   * Returns why a reply does not match the schema, as a clause without a full stop; null if the reply matches.
   *
   * @param text JSON of a schema that passed `schemaFault`
   * @throws Error if the check itself fails. In that case nothing must be charged
   */
  replyFault(key: string, text: string, reply: string): string | null {
    let value: unknown;
    try {
      value = JSON.parse(reply);
    } catch {
      return 'it is not valid JSON';
    }
    const validate = this.#validatorOf(key, text);
    try {
      if (validate(value)) return null;
    } catch (error) {
      // Ajv checks recursive schemas recursively, so deep replies overflow the stack.
      if (error instanceof RangeError) return 'it is nested too deeply to be checked';
      throw error;
    }
    const [first] = validate.errors ?? [];
    return `${first?.instancePath || 'the document'} ${first?.message ?? 'does not fit'}`.slice(0, SENTENCE_MAX);
  }

  #validatorOf(key: string, text: string): ValidateFunction {
    const validate = this.#compiled.get(key) ?? compileSchema(JSON.parse(text) as Record<string, unknown>);
    this.#compiled.delete(key);
    this.#compiled.set(key, validate);
    if (this.#compiled.size > COMPILED_MAX) this.#compiled.delete(this.#compiled.keys().next().value as string);
    return validate;
  }
}
