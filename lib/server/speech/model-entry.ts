import { CREATED_UNKNOWN, NO_CHAT_CAPABILITIES } from '@/lib/protocol/models/model-facts';
import { SPEECH_LIMITS } from '@/lib/protocol/speech/speech-request';
import type { ListedSpeechModel } from './speech-catalogue';

/**
 * Formats a speech model for GET /models (specification, "Model capability flags"). The price is in USD per million
 * characters.
 */
export function speechModelEntry({ model, offline }: ListedSpeechModel) {
  const {
    id,
    name,
    voices,
    defaultVoice,
    languages,
    supportedFormats,
    defaultFormat,
    engine,
    priceNanoUsdPerMillion,
    upstream,
  } = model;
  const { supportsPromptParam, supportsTemperatureParam, supportsTopPParam, supportsCustomVoiceId } = model;
  const flags = {
    supportsPromptParam,
    supportsTemperatureParam,
    supportsTopPParam,
    supports_custom_voice_id: supportsCustomVoiceId,
  };
  const usd = priceNanoUsdPerMillion / 1e9;
  return {
    id,
    type: 'tts',
    object: 'model',
    created: CREATED_UNKNOWN,
    owned_by: upstream.name,
    model_spec: {
      name,
      // A text has at most one token per character.
      availableContextTokens: SPEECH_LIMITS.inputCharactersMax,
      supported_formats: supportedFormats,
      default_format: defaultFormat,
      voices,
      default_voice: defaultVoice,
      languages: languages.accepted,
      language_form: languages.form,
      // The specification does not say where these flags belong, and clients read them in both places.
      ...flags,
      capabilities: { ...NO_CHAT_CAPABILITIES, ...flags },
      pricing: { input: { usd, diem: usd } },
      engine,
      privacy: 'relayed',
      offline,
    },
  };
}
