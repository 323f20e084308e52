import type { ValidateFunction } from 'ajv';
import { compileSchema } from './compile-schema';

const COMPILED_MAX = 200;
const SENTENCE_MAX = 300;

/**
 * Compiles schemas, keeps those used last, and checks replies against them. How long that takes is up to the schema and
 * the reply: it belongs in a thread that can be ended.
 */
export class SchemaChecker {
  /** By the text of the schema's hash, the one used longest ago first. */
  readonly #compiled = new Map<string, ValidateFunction>();

  /**
   * What keeps replies from being held to a schema, as a sentence; null for nothing.
   * @param key a hash of the text
   * @param text JSON of a schema that is strict, as `strictSchemaFaults` tells
   */
  schemaFault(key: string, text: string): string | null {
    try {
      this.#validatorOf(key, text);
      return null;
    } catch (error) {
      // The library's words name a place of the schema, and nothing of ours.
      return `Cannot be used to check a reply: ${(error as Error).message}`.replace(/\s+/g, ' ').slice(0, SENTENCE_MAX);
    }
  }

  /**
   * What keeps a text from being a JSON document of a schema, as a clause without a full stop; null for nothing.
   * @param text JSON of a schema that `schemaFault` has nothing against
   * @throws whatever is a failure of the check itself: no fault of the reply, so nothing to be charged for
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
      // A schema that refers to itself is checked by recursion.
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
