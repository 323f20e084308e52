import type { ListedSpeechModel } from './speech-catalogue';

/** A speech model as GET /models shows it (specification, "Model capability flags"). The price is USD per million characters. */
export function speechModelEntry({ model, offline }: ListedSpeechModel) {
  const { id, name, voices, defaultVoice, languages, supportedFormats, defaultFormat, engine, priceNanoUsdPerMillion, upstream } = model;
  const { supportsPromptParam, supportsTemperatureParam, supportsTopPParam, supportsCustomVoiceId } = model;
  const flags = { supportsPromptParam, supportsTemperatureParam, supportsTopPParam, supports_custom_voice_id: supportsCustomVoiceId };
  const usd = priceNanoUsdPerMillion / 1e9;
  return {
    id,
    type: 'tts',
    object: 'model',
    created: 0,
    owned_by: upstream.name,
    model_spec: {
      name,
      supported_formats: supportedFormats,
      default_format: defaultFormat,
      voices,
      default_voice: defaultVoice,
      languages: languages.accepted,
      language_form: languages.form,
      // The specification calls them flags without saying where they stand: clients look in either place.
      ...flags,
      capabilities: flags,
      pricing: { input: { usd, diem: usd } },
      engine,
      privacy: 'relayed',
      offline,
    },
  };
}
