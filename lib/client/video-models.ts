import { type CallOptions, exchanger, type TurnpikeClientOptions } from './exchange';

/** A model that makes videos, as GET /models?type=video lists it. */
export interface VideoModel {
  id: string;
  name: string;
  /** As "5s". */
  durations: readonly string[];
  /** As "16:9". */
  aspectRatios: readonly string[];
  usdPerSecond: number;
  /** What makes them, where it says so. */
  engine: string | null;
  isOffline: boolean;
}

/** The body of POST /video/queue. */
export interface VideoRequest {
  model: string;
  prompt: string;
  duration: string;
  aspect_ratio: string;
}

export const VIDEO_PATHS = { queue: '/api/v1/video/queue', retrieve: '/api/v1/video/retrieve', complete: '/api/v1/video/complete' } as const;

/** The models that make videos. Public. Rejects, as all of these, with GatewayError or UnreachableError. */
export async function listVideoModels(options: TurnpikeClientOptions, callOptions?: CallOptions): Promise<readonly VideoModel[]> {
  const { body } = await exchanger(options)('GET', '/api/v1/models?type=video', callOptions);
  return (body as { data: readonly VideoEntry[] }).data.map(readEntry);
}

interface VideoEntry {
  id: string;
  model_spec: {
    name?: string;
    durations?: readonly string[];
    aspect_ratios?: readonly string[];
    pricing?: { per_second?: { usd?: number } };
    engine?: string | null;
    offline?: boolean;
  };
}

function readEntry({ id, model_spec: spec }: VideoEntry): VideoModel {
  return {
    id,
    name: spec.name ?? id,
    durations: spec.durations ?? ['5s'],
    aspectRatios: spec.aspect_ratios ?? ['16:9'],
    usdPerSecond: spec.pricing?.per_second?.usd ?? 0,
    engine: spec.engine ?? null,
    isOffline: spec.offline === true,
  };
}
