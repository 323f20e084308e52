import { AUDIO_FORMATS, type AudioFormat } from '@/lib/protocol/speech/audio-format';
import { flag, list, nullable, number, object, optional, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { modelId } from './model-id';

/** Entry of GET /models?type=tts. */
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

/** Fetches the speech models. Public. Rejects with GatewayError or UnreachableError. */
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
