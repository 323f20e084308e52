import { flag, list, number, object, optional, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { modelId } from './model-id';

/** Entry of GET /models?type=asr. */
export interface TranscriptionModel {
  id: string;
  name: string;
  /** Per second of audio. */
  usdPerSecond: number;
  isOffline: boolean;
}

const transcriptionModels = object({
  data: list(
    object({
      id: modelId,
      model_spec: object({
        name: optional(text),
        pricing: optional(object({ per_audio_second: optional(object({ usd: optional(number) })) })),
        offline: optional(flag),
      }),
    }),
  ),
});

/** Fetches the transcription models. Public. Rejects with GatewayError or UnreachableError. */
export async function listTranscriptionModels(
  options: TurnpikeClientOptions,
  callOptions?: CallOptions,
): Promise<readonly TranscriptionModel[]> {
  const { data } = await fitting(
    transcriptionModels,
    await exchanger(options)('GET', '/api/v1/models?type=asr', callOptions),
  );
  return data.map(({ id, model_spec: spec }) => ({
    id,
    name: spec.name ?? id,
    usdPerSecond: spec.pricing?.per_audio_second?.usd ?? 0,
    isOffline: spec.offline === true,
  }));
}
