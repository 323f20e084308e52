import { list, MisfitError, number, object, type Schema } from './answer-schema';
import { base64Bytes } from './base64-bytes';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

interface EmbeddingsRequest {
  model: string;
  input: readonly string[];
  /** Vector length, for models that let callers choose it. */
  dimensions?: number;
}

interface Embeddings {
  /** Vectors in the order of the inputs. */
  vectors: readonly Float32Array[];
  tokens: number;
}

const FLOAT_BYTES = 4;

const vector: Schema<Float32Array> = (value, at) => {
  const bytes = base64Bytes(value, at);
  const view = new DataView(bytes.buffer);
  const numbers = Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_, index) =>
    view.getFloat32(index * FLOAT_BYTES, true),
  );
  if (bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0 || !numbers.every(Number.isFinite))
    throw new MisfitError(at, value, 'a vector in base64');
  return numbers;
};

const embeddings = (inputs: number): Schema<Embeddings> => {
  const answer = object({
    data: list(object({ index: number, embedding: vector })),
    usage: object({ total_tokens: number }),
  });
  return (value, at) => {
    const { data, usage } = answer(value, at);
    const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
    const vectors = Array.from({ length: inputs }, (_, index) => {
      const found = byIndex.get(index);
      if (found === undefined) throw new MisfitError('data', data.length, `a list of ${inputs} vectors`);
      return found;
    });
    return { vectors, tokens: usage.total_tokens };
  };
};

/** Turns texts into vectors. */
export async function embed(
  options: TurnpikeClientOptions,
  request: EmbeddingsRequest,
  callOptions?: CallOptions,
): Promise<Embeddings> {
  const requestText = JSON.stringify({ ...request, encoding_format: 'base64' });
  return fitting(
    embeddings(request.input.length),
    await exchanger(options)('POST', '/api/v1/embeddings', { ...callOptions, requestText }),
  );
}
