import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { acceptedLanguage } from '@/lib/protocol/speech/speech-languages';
import type { CheckedSpeech } from './paid-speech';
import type { SpeechUpstreamRequest } from './upstream/speech-upstream';

/** Returns the upstream's request, without fields that the model ignores. */
export function speechUpstreamRequest(
  { request, model, voice }: CheckedSpeech,
  input: string,
  format: AudioFormat,
): SpeechUpstreamRequest {
  const { speed, language, prompt, temperature, top_p: topP } = request;
  const spoken = language == null ? null : acceptedLanguage(model.languages, language);
  return {
    model: model.upstreamModel,
    input,
    voice,
    response_format: format,
    ...(speed != null && speed !== 1 ? { speed } : {}),
    ...(spoken !== null ? { language: spoken } : {}),
    ...(prompt && model.supportsPromptParam ? { instructions: prompt } : {}),
    ...(temperature != null && model.supportsTemperatureParam ? { temperature } : {}),
    ...(topP != null && model.supportsTopPParam ? { top_p: topP } : {}),
  };
}
