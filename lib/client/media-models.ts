import { AUDIO_FORMATS, type AudioFormat } from '@/lib/protocol/speech/audio-format';
import { flag, list, nullable, number, object, optional, text } from './answer-schema';
import { modelId } from './model-id';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

export interface EmbeddingModel {
  id: string;
  name: string;
  /** Vector length; null if not stated. */
  dimensions: number | null;
  usdPerMillionTokens: number;
  /** True if requests must be encrypted to the model's enclave. */
  isEncrypted: boolean;
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
        encryption: optional(text),
        offline: optional(flag),
      }),
    }),
  ),
});

/** Fetches the embedding models. Public. */
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
    isEncrypted: spec.encryption !== undefined,
    isOffline: spec.offline === true,
  }));
}

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

/** Fetches the image models. Public. */
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

export interface TranscriptionModel {
  id: string;
  name: string;
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

/** Fetches the transcription models. Public. */
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

/** Fetches the video models. Public. */
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

export interface SpeechModel {
  id: string;
  name: string;
  voices: readonly string[];
  defaultVoice: string;
  /** Accepted values of `language`; empty if unknown. */
  languages: readonly string[];
  formats: readonly AudioFormat[];
  defaultFormat: AudioFormat;
  takesPrompt: boolean;
  takesTemperature: boolean;
  takesTopP: boolean;
  /** True if the model also accepts voice ids of the provider. */
  takesCustomVoice: boolean;
  usdPerMillionCharacters: number;
  /** Speech engine, such as "eSpeak NG 1.52". */
  engine: string | null;
  /** True if a simulator stands in for the model. */
  isStandIn: boolean;
  isOffline: boolean;
}

/** Body of POST /audio/speech (specification, "Text-to-speech request"). */
export interface SpeechRequest {
  input: string;
  model: string;
  voice: string;
  language?: string;
  prompt?: string;
  response_format: AudioFormat;
  speed?: number;
  streaming?: boolean;
  temperature?: number;
  top_p?: number;
}

export const SPEECH_PATH = '/api/v1/audio/speech';

const isAudioFormat = (format: string): format is AudioFormat => AUDIO_FORMATS.some((known) => known === format);

const speechModels = object({
  data: list(
    object({
      id: modelId,
      model_spec: object({
        name: optional(text),
        voices: optional(list(text)),
        default_voice: optional(text),
        languages: optional(list(text)),
        supported_formats: list(text),
        default_format: text,
        supportsPromptParam: optional(flag),
        supportsTemperatureParam: optional(flag),
        supportsTopPParam: optional(flag),
        supports_custom_voice_id: optional(flag),
        pricing: optional(object({ input: optional(object({ usd: optional(number) })) })),
        engine: nullable(text),
        offline: optional(flag),
      }),
    }),
  ),
});

/** Fetches the speech models. Public. */
export async function listSpeechModels(
  options: TurnpikeClientOptions,
  callOptions?: CallOptions,
): Promise<readonly SpeechModel[]> {
  const { data } = await fitting(speechModels, await exchanger(options)('GET', '/api/v1/models?type=tts', callOptions));
  return data.map(({ id, model_spec: spec }) => {
    const voices = spec.voices ?? [];
    // Formats become file extensions, and the gateway may be malicious, so unknown formats are left out.
    const formats = spec.supported_formats.filter(isAudioFormat);
    return {
      id,
      name: spec.name ?? id,
      voices,
      defaultVoice: spec.default_voice ?? voices[0] ?? '',
      languages: spec.languages ?? [],
      formats,
      defaultFormat: formats.find((format) => format === spec.default_format) ?? formats[0] ?? 'mp3',
      takesPrompt: spec.supportsPromptParam === true,
      takesTemperature: spec.supportsTemperatureParam === true,
      takesTopP: spec.supportsTopPParam === true,
      takesCustomVoice: spec.supports_custom_voice_id === true,
      usdPerMillionCharacters: spec.pricing?.input?.usd ?? 0,
      engine: spec.engine,
      isStandIn: spec.engine?.includes('stand-in') === true,
      isOffline: spec.offline === true,
    };
  });
}
