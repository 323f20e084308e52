import { flag, list, nullable, number, object, optional, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { modelId } from './model-id';

/** Entry of GET /models?type=embedding. */
export interface EmbeddingModel {
  id: string;
  name: string;
  /** Vector length; null if not stated. */
  dimensions: number | null;
  usdPerMillionTokens: number;
  isOffline: boolean;
}

const embeddingModels = object({
  data: list(
    object({
      id: modelId,
      model_spec: object({
        name: optional(text),
        dimensions: nullable(number),
        pricing: optional(object({ input: optional(object({ usd: optional(number) })) })),
        offline: optional(flag),
      }),
    }),
  ),
});

/** Fetches the embedding models. Public. Rejects with GatewayError or UnreachableError. */
export async function listEmbeddingModels(
  options: TurnpikeClientOptions,
  callOptions?: CallOptions,
): Promise<readonly EmbeddingModel[]> {
  const { data } = await fitting(
    embeddingModels,
    await exchanger(options)('GET', '/api/v1/models?type=embedding', callOptions),
  );
  return data.map(({ id, model_spec: spec }) => ({
    id,
    name: spec.name ?? id,
    dimensions: spec.dimensions,
    usdPerMillionTokens: spec.pricing?.input?.usd ?? 0,
    isOffline: spec.offline === true,
  }));
}
