import { hash } from 'node:crypto';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isTimeout, runWithin } from './run-within';

const COMPILED_MAX = 200;
/** A schema may hold a pattern that takes for ever on some texts: nobody else waits for that longer than this. */
const CHECK_MS = 200;
/** So long may a schema take to be compiled, which the largest that is allowed does not. */
const COMPILE_MS = 5_000;
/** What is wrong with a schema was found before: checking it against its own standard takes longer than compiling it. */
const OPTIONS: Options = { strict: false, validateSchema: false, logger: false, validateFormats: true };
/** Formats of the standard that the library does not check. */
const UNCHECKED_FORMATS = ['idn-email', 'idn-hostname', 'iri', 'iri-reference'];

const TOO_LONG = 'it takes too long to be checked';

/** Compiled schemas, the one used longest ago first. */
const compiled = new Map<string, ValidateFunction>();

/**
 * What keeps replies from being held to a schema, as a sentence; null for nothing. To be asked before anything is
 * spent: `replyFault` then finds the schema compiled.
 * @param schema one that is strict, as `strictSchemaFaults` tells
 */
export function unusableSchema(schema: Readonly<Record<string, unknown>>): string | null {
  try {
    validatorOf(schema);
    return null;
  } catch (error) {
    if (isTimeout(error)) return 'Is too large to be compiled in time.';
    // The library's words name a place of the schema, and nothing of ours.
    return `Cannot be used to check a reply: ${(error as Error).message}`.replace(/\s+/g, ' ').slice(0, 300);
  }
}

/**
 * What keeps a text from being a JSON document of a schema, as a clause without a full stop; null for nothing. Takes a
 * bounded time, whatever the schema.
 * @param schema one that `unusableSchema` has nothing against
 * @throws whatever is a failure of the check itself: no fault of the reply, so nothing to be charged for
 */
export function replyFault(content: string, schema: Readonly<Record<string, unknown>>): string | null {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return 'it is not valid JSON';
  }
  const validate = validatorOf(schema);
  try {
    if (runWithin(CHECK_MS, () => validate(value))) return null;
  } catch (error) {
    if (isTimeout(error)) return TOO_LONG;
    // A schema that refers to itself is checked by recursion.
    if (error instanceof RangeError) return 'it is nested too deeply to be checked';
    throw error;
  }
  const [first] = validate.errors ?? [];
  return `${first?.instancePath || 'the document'} ${first?.message ?? 'does not fit'}`.slice(0, 300);
}

function validatorOf(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const key = hash('sha256', JSON.stringify(schema), 'base64');
  const known = compiled.get(key);
  const validate = known ?? runWithin(COMPILE_MS, () => compile(schema), 1);
  compiled.delete(key);
  compiled.set(key, validate);
  if (compiled.size > COMPILED_MAX) compiled.delete(compiled.keys().next().value as string);
  return validate;
}

/**
 * Each in a library of its own, so that "#" and anchors are those of this schema. Its own name is left out: a strict
 * one has it at the top only, and refers to it nowhere.
 */
function compile({ $schema: version, $id: _id, ...schema }: Readonly<Record<string, unknown>>): ValidateFunction {
  const ajv = typeof version === 'string' && version.includes('draft-07') ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  addFormats(ajv);
  for (const name of UNCHECKED_FORMATS) ajv.addFormat(name, true);
  return ajv.compile(withRootAnchor(schema));
}

/** The library finds anchors below the top only: that of the top is moved to a part that refers to it. */
function withRootAnchor({ $anchor, ...schema }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (typeof $anchor !== 'string') return schema;
  const $defs = schema['$defs'] as Record<string, unknown> | undefined;
  return { ...schema, $defs: { ...$defs, [`anchor of the top ${Object.keys($defs ?? {}).join(' ')}`]: { $anchor, $ref: '#' } } };
}
