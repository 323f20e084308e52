import { describe, expect, it } from 'vitest';
import { AUDIO_FORMATS } from './audio-format';
import { acceptedLanguage } from './speech-languages';
import { DEFAULT_SPEECH_MODEL, isSpeechModelId, SPEECH_MODEL_IDS, SPEECH_MODELS } from './speech-models';

describe('the speech models', () => {
  it('are the eleven of the specification, with its defaults', () => {
    expect(Object.keys(SPEECH_MODELS)).toEqual([...SPEECH_MODEL_IDS]);
    expect(SPEECH_MODEL_IDS).toHaveLength(11);
    expect(DEFAULT_SPEECH_MODEL).toBe('tts-kokoro');
    expect(SPEECH_MODELS['tts-kokoro'].defaultVoice).toBe('af_sky');
  });

  it.each(SPEECH_MODEL_IDS)('%s agrees with itself', (id) => {
    const model = SPEECH_MODELS[id];
    expect(model.id).toBe(id);
    expect(model.voices).toContain(model.defaultVoice);
    expect(new Set(model.voices).size).toBe(model.voices.length);
    // `vv_` begins a cloned-voice handle, so no voice may start with it.
    expect(model.voices.filter((voice) => voice.startsWith('vv_') || voice.length > 512)).toEqual([]);
    expect(model.supportedFormats).toContain(model.defaultFormat);
    expect(model.supportedFormats.filter((format) => !AUDIO_FORMATS.includes(format))).toEqual([]);
    for (const language of model.languages.accepted) {
      expect(language.length).toBeGreaterThanOrEqual(2);
      expect(language.length).toBeLessThanOrEqual(32);
      expect(/^[a-z]{2}$/.test(language)).toBe(model.languages.form === 'codes');
    }
  });

  it('differ in what they take, so that each rule of the specification concerns some and not others', () => {
    for (const flag of [
      'supportsPromptParam',
      'supportsTemperatureParam',
      'supportsTopPParam',
      'supportsCustomVoiceId',
    ] as const) {
      expect(new Set(SPEECH_MODEL_IDS.map((id) => SPEECH_MODELS[id][flag])).size).toBe(2);
    }
    expect(new Set(SPEECH_MODEL_IDS.map((id) => SPEECH_MODELS[id].languages.form)).size).toBe(2);
  });

  it('are known by their ids only', () => {
    expect(isSpeechModelId('tts-orpheus')).toBe(true);
    for (const other of ['', 'tts-1', 'TTS-KOKORO', 'toString', '__proto__'])
      expect(isSpeechModelId(other)).toBe(false);
  });
});

describe('a language', () => {
  it('is taken in the form of the model, and ignored in another', () => {
    expect(acceptedLanguage(SPEECH_MODELS['tts-kokoro'].languages, 'EN')).toBe('en');
    expect(acceptedLanguage(SPEECH_MODELS['tts-kokoro'].languages, 'English')).toBeNull();
    expect(acceptedLanguage(SPEECH_MODELS['tts-vendor7-v1'].languages, 'english')).toBe('English');
    expect(acceptedLanguage(SPEECH_MODELS['tts-vendor7-v1'].languages, 'en')).toBeNull();
    expect(acceptedLanguage(SPEECH_MODELS['tts-kokoro'].languages, 'Klingon')).toBeNull();
  });
});
