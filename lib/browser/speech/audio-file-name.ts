import type { SpeechRequest } from '@/lib/client';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';

/**
 * Returns a file name for a recording: model, voice, and the extension for `contentType`. The format differs from the
 * requested one if respeaking converted the audio to WAV.
 */
export function audioFileName({ model, voice, response_format: asked }: SpeechRequest, contentType: string): string {
  const known = Object.values(AUDIO_FORMAT_INFO).find((format) => format.contentType === contentType.toLowerCase());
  return `${model}-${voice}`.replaceAll(/[^\w.-]+/g, '_') + (known ?? AUDIO_FORMAT_INFO[asked]).extension;
}
