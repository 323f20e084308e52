import type { ValidateFunction } from 'ajv';
import { compileSchema } from './compile-schema';

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
   * @param key hash of the text
   * @param text JSON of a strict schema, according to `strictSchemaFaults`
   */
  schemaFault(key: string, text: string): string | null {
    try {
      this.#validatorOf(key, text);
      return null;
    } catch (error) {
      // Ajv's message names only a place in the schema, so callers may see it.
      return `Cannot be used to check a reply: ${(error as Error).message}`.replace(/\s+/g, ' ').slice(0, SENTENCE_MAX);
    }
  }

  /**
   * Returns why a reply does not match the schema, as a clause without full stop; null if the reply matches.
   *
   * @param text JSON of a schema that passed `schemaFault`
   * @throws Error if the check itself fails; nothing must be charged then
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
