import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';

const SILENCE_SECONDS = 0.3;
/** Blanks and the marks of sentences; others, such as %, are said. */
const NOTHING_TO_SAY = /^[\s\p{Z}\p{Cc}\p{Cf}.,;:!?…¿¡、。，；：！？·'"“”‘’„«»(){}[\]–—-]*$/u;

/** Whether there is nothing to say: engines refuse such texts, or answer them with nothing. */
export function isBlank(text: string): boolean {
  return NOTHING_TO_SAY.test(text);
}

/** What a text with nothing to say sounds like; also the pause between two sentences, at speed 1. */
export function silence(speed = 1): Int16Array {
  return new Int16Array(Math.round((SPEECH_SAMPLE_RATE * SILENCE_SECONDS) / speed));
}
