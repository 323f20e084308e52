import { flag, list, nullable, number, object, optional, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { modelId } from './model-id';

/** Entry of GET /models?type=video. */
export interface VideoModel {
  id: string;
  name: string;
  /** Lengths such as "5s". */
  durations: readonly string[];
  /** Ratios such as "16:9". */
  aspectRatios: readonly string[];
  usdPerSecond: number;
  engine: string | null;
  isOffline: boolean;
}

/** Body of POST /video/queue. */
export interface VideoRequest {
  model: string;
  prompt: string;
  duration: string;
  aspect_ratio: string;
}

export const VIDEO_PATHS = {
  queue: '/api/v1/video/queue',
  retrieve: '/api/v1/video/retrieve',
  complete: '/api/v1/video/complete',
} as const;

const videoModels = object({
  data: list(
    object({
      id: modelId,
      model_spec: object({
        name: optional(text),
        durations: optional(list(text)),
        aspect_ratios: optional(list(text)),
        pricing: optional(object({ per_second: optional(object({ usd: optional(number) })) })),
        engine: nullable(text),
        offline: optional(flag),
      }),
    }),
  ),
});

/** Fetches the video models. Public. Rejects with GatewayError or UnreachableError. */
export async function listVideoModels(
  options: TurnpikeClientOptions,
  callOptions?: CallOptions,
): Promise<readonly VideoModel[]> {
  const { data } = await fitting(
    videoModels,
    await exchanger(options)('GET', '/api/v1/models?type=video', callOptions),
  );
  return data.map(({ id, model_spec: spec }) => ({
    id,
    name: spec.name ?? id,
    durations: spec.durations ?? ['5s'],
    aspectRatios: spec.aspect_ratios ?? ['16:9'],
    usdPerSecond: spec.pricing?.per_second?.usd ?? 0,
    engine: spec.engine,
    isOffline: spec.offline === true,
  }));
}
