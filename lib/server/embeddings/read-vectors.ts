import { apiError } from '@/lib/protocol/errors';
import { parsedRecord, recordOf } from '@/lib/protocol/json-record';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';

export interface Vectors {
  /** Vectors of equal length, in the order of the inputs. */
  vectors: readonly (readonly number[])[];
  /** Tokens that the upstream counted; null if unknown. */
  promptTokens: number | null;
}

/**
 * Parses the vectors of an answer in OpenAI's format.
 * @param inputs required number of vectors
 * @param dimensions required length of a vector; null if unknown
 * @throws ApiError MODEL_ANSWER_INVALID for a wrong number or length, or a number that a 32-bit float cannot represent
 */
export function readVectors(
  { body }: Pick<UpstreamAnswer, 'body'>,
  inputs: number,
  dimensions: number | null,
): Vectors {
  const json = parsedRecord(body.toString('utf8'));
  const data: unknown = json?.['data'];
  if (!Array.isArray(data) || data.length !== inputs)
    throw invalid(`The model's answer does not have one vector for each of the ${inputs} inputs.`);
  const vectors: (readonly number[])[] = Array.from({ length: inputs });
  for (const [place, each] of (data as unknown[]).entries()) {
    const { index = place, embedding } = recordOf(each);
    if (!isPlace(index, inputs) || vectors[index] !== undefined)
      throw invalid("The model's answer has two vectors for one input.");
    if (!isVector(embedding)) throw invalid("A vector in the model's answer is not a list of finite numbers.");
    vectors[index] = embedding;
  }
  const length = dimensions ?? vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== length))
    throw invalid(`The vectors in the model's answer do not have the length ${length}.`);
  return { vectors, promptTokens: tokensIn(json?.['usage']) };
}

function isPlace(value: unknown, inputs: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < inputs;
}

/** Returns whether all numbers are finite as 32-bit floats, in which they are sent. */
function isVector(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === 'number' && Number.isFinite(Math.fround(each)))
  );
}

/** Returns the counted tokens. A count of 0 is ignored, because no input is empty. */
function tokensIn(usage: unknown): number | null {
  const { prompt_tokens: prompt, total_tokens: total } = recordOf(usage);
  const count = [prompt, total].find((each) => Number.isSafeInteger(each) && (each as number) > 0);
  return (count as number | undefined) ?? null;
}

function invalid(message: string) {
  return apiError('MODEL_ANSWER_INVALID', { message });
}
