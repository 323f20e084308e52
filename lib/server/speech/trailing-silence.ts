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
