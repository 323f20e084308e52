import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { type CallOptions, exchanger, type TurnpikeClientOptions } from './exchange';

/** A model that speaks, as GET /models?type=tts lists it. */
export interface SpeechModel {
  id: string;
  name: string;
  voices: readonly string[];
  /** The voice of a request that names none. */
  defaultVoice: string;
  /** What its `language` takes; empty where nothing is said of it. */
  languages: readonly string[];
  formats: readonly AudioFormat[];
  defaultFormat: AudioFormat;
  takesPrompt: boolean;
  takesTemperature: boolean;
  takesTopP: boolean;
  /** Whether a voice id of the provider's own may be given. */
  takesCustomVoice: boolean;
  usdPerMillionCharacters: number;
  /** What speaks, as "eSpeak NG 1.52"; null where it does not say. */
  engine: string | null;
  /** Whether what speaks only stands in for the model, as its name then says. */
  isStandIn: boolean;
  isOffline: boolean;
}

/** The body of POST /audio/speech (specification, "Text-to-speech request"). */
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

/** The models that speak. Public. Rejects with GatewayError or UnreachableError. */
export async function listSpeechModels(options: TurnpikeClientOptions, callOptions?: CallOptions): Promise<readonly SpeechModel[]> {
  const { body } = await exchanger(options)('GET', '/api/v1/models?type=tts', callOptions);
  return (body as { data: readonly SpeechEntry[] }).data.map(readEntry);
}

/** What this client reads of an entry. */
interface SpeechEntry {
  id: string;
  model_spec: {
    name?: string;
    voices?: readonly string[];
    default_voice?: string;
    languages?: readonly string[];
    supported_formats: readonly AudioFormat[];
    default_format: AudioFormat;
    supportsPromptParam?: boolean;
    supportsTemperatureParam?: boolean;
    supportsTopPParam?: boolean;
    supports_custom_voice_id?: boolean;
    pricing?: { input?: { usd?: number } };
    engine?: string | null;
    offline?: boolean;
  };
}

function readEntry({ id, model_spec: spec }: SpeechEntry): SpeechModel {
  const voices = spec.voices ?? [];
  return {
    id,
    name: spec.name ?? id,
    voices,
    defaultVoice: spec.default_voice ?? voices[0] ?? '',
    languages: spec.languages ?? [],
    formats: spec.supported_formats,
    defaultFormat: spec.default_format,
    takesPrompt: spec.supportsPromptParam === true,
    takesTemperature: spec.supportsTemperatureParam === true,
    takesTopP: spec.supportsTopPParam === true,
    takesCustomVoice: spec.supports_custom_voice_id === true,
    usdPerMillionCharacters: spec.pricing?.input?.usd ?? 0,
    engine: spec.engine ?? null,
    isStandIn: spec.engine?.includes('stand-in') === true,
    isOffline: spec.offline === true,
  };
}
