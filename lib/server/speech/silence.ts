import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';

const SILENCE_SECONDS = 0.3;
const NOTHING_BUT_BLANKS = /^[\s\p{Z}\p{Cc}\p{Cf}]*$/u;

/** Whether there is nothing to say: engines refuse such texts, or answer them with nothing. */
export function isBlank(text: string): boolean {
  return NOTHING_BUT_BLANKS.test(text);
}

/** What a blank text sounds like. */
export function silence(): Int16Array {
  return new Int16Array(SPEECH_SAMPLE_RATE * SILENCE_SECONDS);
}
