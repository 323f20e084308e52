import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';

const SILENCE_SECONDS = 0.3;
/** Matches texts that contain only blanks and punctuation. Other signs, such as %, are spoken. */
const NOTHING_TO_SAY = /^[\s\p{Z}\p{Cc}\p{Cf}.,;:!?…¿¡、。，；：！？·'"“”‘’„«»(){}[\]–—-]*$/u;

/** Returns whether a text has nothing to speak. Speech engines refuse such texts. */
export function isBlank(text: string): boolean {
  return NOTHING_TO_SAY.test(text);
}

/** Returns a stretch of silence: the pause between sentences, or the audio of a text with nothing to speak. */
export function silence(speed = 1): Int16Array {
  return new Int16Array(Math.round((SPEECH_SAMPLE_RATE * SILENCE_SECONDS) / speed));
}

/** Highest absolute value of a sample that counts as silent: -60 dB of full scale. */
const SILENT_LEVEL_MAX = 32;

/** Counts the silent samples at the end of a sound. */
export class TrailingSilence {
  length = 0;

  push(samples: Int16Array): void {
    let start = samples.length;
    while (start > 0 && Math.abs(samples[start - 1] ?? 0) <= SILENT_LEVEL_MAX) start -= 1;
    this.length = start === 0 ? this.length + samples.length : samples.length - start;
  }
}
