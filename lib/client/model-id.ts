import { MisfitError, type Schema } from './answer-schema';

/**
 * Excludes control characters, format characters and line separators, because ids appear in URLs, lists and terminals.
 */
const MODEL_ID = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,256}$/u;

export function isModelId(value: unknown): value is string {
  return typeof value === 'string' && MODEL_ID.test(value);
}

export const modelId: Schema<string> = (value, at) => {
  if (isModelId(value)) return value;
  throw new MisfitError(at, value, 'the id of a model');
};
