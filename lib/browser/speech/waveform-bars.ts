import type { Envelope } from './sentence-times';

/**
 * Returns the bars of a waveform.
 * @returns `count` heights from 0 to 1, where the loudest is 1; all 0 for silence or unknown audio
 */
export function barsOf(envelope: Envelope | null, count: number): readonly number[] {
  const peaks = envelope?.peaks ?? new Float32Array();
  const loudest = peaks.reduce((most, peak) => Math.max(most, peak), 0.01);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * peaks.length) / count);
    const part = peaks.subarray(from, Math.max(from + 1, Math.floor(((index + 1) * peaks.length) / count)));
    return part.reduce((most, peak) => Math.max(most, peak), 0) / loudest;
  });
}
