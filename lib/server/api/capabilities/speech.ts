import { Speech } from '../../speech/speech';
import { audioSpeech } from '../audio/speech';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Sells speech. */
export function openSpeech({ config, log, memory }: Ground) {
  const speech = new Speech(config.speech, log, memory);
  return {
    speech,
    endpoints: ({ paidCalls }) => [audioSpeech({ paidCalls, speech })],
    close: () => speech.close(),
  } satisfies Capability & { speech: Speech };
}
