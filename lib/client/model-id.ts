import { MisfitError, type Schema } from './answer-schema';

/** Controls, format characters and line separators: an id stands in addresses, lists and lines of a terminal. */
const MODEL_ID = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,256}$/u;

/** Whether a gateway may call a model so. */
export function isModelId(value: unknown): value is string {
  return typeof value === 'string' && MODEL_ID.test(value);
}

/** The id of a model. */
export const modelId: Schema<string> = (value, at) => {
  if (isModelId(value)) return value;
  throw new MisfitError(at, value, 'the id of a model');
};
