/** Length of a window: two periods of a low voice. */
const WINDOW_SECONDS = 0.03;
/** Maximum shift of a window: a period of a low voice. */
const SEARCH_SECONDS = 0.012;

/**
 * Plays a signal at `factor` times its speed without changing its pitch: WSOLA ("waveform similarity overlap-add",
 * Verhelst and Roelands 1993). Copies overlapping windows of the input to the output, where they are closer together or
 * farther apart. Shifts each window so that it continues the previous window as well as possible.
 */
export function timeStretch(input: Float32Array, factor: number, sampleRate: number): Float32Array<ArrayBuffer> {
  const hop = Math.round((WINDOW_SECONDS * sampleRate) / 2);
  const search = Math.round(SEARCH_SECONDS * sampleRate);
  const output = new Float32Array(Math.round(input.length / factor));
  const weights = Float64Array.from(
    { length: 2 * hop },
    (_, offset) => 0.5 - 0.5 * Math.cos((Math.PI * (offset + 0.5)) / hop),
  );
  // Silence at both ends keeps every window in bounds.
  const margin = Math.ceil(hop * (factor + 3)) + 2 * search;
  const padded = new Float32Array(input.length + 2 * margin);
  padded.set(input, margin);
  // Starts half a window early, so that the first sample has its full level.
  for (let at = -hop, previous = margin - hop; at < output.length; at += hop) {
    const wanted = margin + Math.round((at + hop) * factor) - hop;
    const start = at < 0 ? wanted : bestStart(padded, previous + hop, wanted, hop, search);
    const end = Math.min(2 * hop, output.length - at);
    for (let offset = Math.max(0, -at); offset < end; offset += 1)
      output[at + offset] =
        (output[at + offset] as number) + (weights[offset] as number) * (padded[start + offset] as number);
    previous = start;
  }
  return output;
}

/**
 * Returns the position near `wanted` where the input is most similar to the input at `natural`. A window at `natural`
 * would continue the previous window.
 */
function bestStart(input: Float32Array, natural: number, wanted: number, hop: number, search: number): number {
  if (natural >= wanted - search && natural <= wanted + search) return natural;
  const coarse = mostSimilar(input, natural, wanted, hop, search, 4);
  return mostSimilar(input, natural, coarse, hop, 4, 1);
}

function mostSimilar(
  input: Float32Array,
  natural: number,
  centre: number,
  hop: number,
  search: number,
  step: number,
): number {
  let best = centre;
  let bestLikeness = -Infinity;
  for (let start = centre - search; start <= centre + search; start += step) {
    let product = 0;
    let energy = 1e-9;
    for (let offset = 0; offset < 2 * hop; offset += step) {
      const sample = input[start + offset] as number;
      product += sample * (input[natural + offset] as number);
      energy += sample * sample;
    }
    const likeness = product / Math.sqrt(energy);
    if (likeness > bestLikeness) [best, bestLikeness] = [start, likeness];
  }
  return best;
}
