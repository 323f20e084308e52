import { flag, list, number, object, optional, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { modelId } from './model-id';

/** Entry of GET /models?type=image. */
export interface ImageModel {
  id: string;
  name: string;
  /** Sizes such as "1024x1024". The first is the default. */
  sizes: readonly string[];
  /** Price of one image in the default size. */
  usdPerImage: number;
  isOffline: boolean;
}

const imageModels = object({
  data: list(
    object({
      id: modelId,
      model_spec: object({
        name: optional(text),
        sizes: optional(list(text)),
        pricing: optional(object({ generation: optional(object({ usd: optional(number) })) })),
        offline: optional(flag),
      }),
    }),
  ),
});

/** Fetches the image models. Public. Rejects with GatewayError or UnreachableError. */
export async function listImageModels(
  options: TurnpikeClientOptions,
  callOptions?: CallOptions,
): Promise<readonly ImageModel[]> {
  const { data } = await fitting(
    imageModels,
    await exchanger(options)('GET', '/api/v1/models?type=image', callOptions),
  );
  return data.map(({ id, model_spec: spec }) => ({
    id,
    name: spec.name ?? id,
    sizes: spec.sizes ?? [],
    usdPerImage: spec.pricing?.generation?.usd ?? 0,
    isOffline: spec.offline === true,
  }));
}
