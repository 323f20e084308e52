import type { SpeechRequest } from '@/lib/client';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';

/** The name of a take's file: model and voice, and the ending of what it is by now, which joining may have changed. */
export function audioFileName({ model, voice, response_format: asked }: SpeechRequest, contentType: string): string {
  const known = Object.values(AUDIO_FORMAT_INFO).find((format) => format.contentType === contentType.toLowerCase());
  return `${model}-${voice}`.replaceAll(/[^\w.-]+/g, '_') + (known ?? AUDIO_FORMAT_INFO[asked]).extension;
}
