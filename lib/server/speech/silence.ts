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

/** -60 dB of full scale: nobody hears it. */
const SILENT_LEVEL_MAX = 32;

/** Counts the samples of silence that a sound ends with so far. */
export class TrailingSilence {
  length = 0;

  push(samples: Int16Array): void {
    let start = samples.length;
    while (start > 0 && Math.abs(samples[start - 1] ?? 0) <= SILENT_LEVEL_MAX) start -= 1;
    this.length = start === 0 ? this.length + samples.length : samples.length - start;
  }
}
