import { SPEECH_PATH, type SpeechRequest } from '@/lib/client';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import type { PageRequest } from '../samples/http-request';
import { speechWords } from '../words/speech';

/** Requests of the Speech page for its code samples: one for each voice. */
export function speechPageRequests(requests: readonly SpeechRequest[]): PageRequest[] {
  return requests.map((body) => ({
    name: speechWords.page.requestName(body.voice),
    verb: 'POST',
    path: SPEECH_PATH,
    body,
    saveAs: `speech${AUDIO_FORMAT_INFO[body.response_format].extension}`,
  }));
}
