import { hash } from 'node:crypto';
import vm from 'node:vm';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const COMPILED_MAX = 200;
/** A schema may hold a pattern that takes for ever on some texts: nobody else waits for that longer than this. */
const CHECK_MS = 200;
/** What is wrong with a schema was found before: checking it against its own standard takes longer than compiling it. */
const OPTIONS: Options = { strict: false, validateSchema: false, logger: false, validateFormats: true, addUsedSchema: false };
/** Formats of the standard that the library does not check. */
const UNCHECKED_FORMATS = ['idn-email', 'idn-hostname', 'iri', 'iri-reference'];

const TOO_LONG = 'it takes too long to be checked';

/** Compiled schemas, the one used longest ago first. */
const compiled = new Map<string, ValidateFunction>();
const timed = new vm.Script('run()');
const context = vm.createContext({ run: null as (() => unknown) | null });

/**
 * What keeps a text from being a JSON document of a schema, as a clause without a full stop; null for nothing. Takes a
 * bounded time, whatever the schema.
 * @param schema one that is strict, as `strictSchemaFaults` tells
 */
export function replyFault(content: string, schema: Readonly<Record<string, unknown>>): string | null {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return 'it is not valid JSON';
  }
  try {
    const validate = validatorOf(schema);
    if (within(CHECK_MS, () => validate(value))) return null;
    const [first] = validate.errors ?? [];
    return `${first?.instancePath || 'the document'} ${first?.message ?? 'does not fit'}`.slice(0, 300);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return TOO_LONG;
    return 'the schema cannot be used to check it';
  }
}

function validatorOf(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const key = hash('sha256', JSON.stringify(schema), 'base64');
  const known = compiled.get(key);
  const validate = known ?? compile(schema);
  compiled.delete(key);
  compiled.set(key, validate);
  if (compiled.size > COMPILED_MAX) compiled.delete(compiled.keys().next().value as string);
  return validate;
}

/** Names of its own would make two schemas one: a strict one has them at the top only, and refers to none of them. */
function compile({ $schema: version, $id: _id, ...schema }: Readonly<Record<string, unknown>>): ValidateFunction {
  const ajv = typeof version === 'string' && version.includes('draft-07') ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  addFormats(ajv);
  for (const name of UNCHECKED_FORMATS) ajv.addFormat(name, true);
  return ajv.compile(schema);
}

/** Runs it in this thread, and stops it after this time, in the middle of a regular expression too. */
function within<T>(timeoutMs: number, run: () => T): T {
  context['run'] = run;
  try {
    return timed.runInContext(context, { timeout: timeoutMs }) as T;
  } finally {
    context['run'] = null;
  }
}
