/** 30 ms: two periods of a low voice. */
const WINDOW_SECONDS = 0.03;
/** How far a window may be moved to fit: a period of a low voice. */
const SEARCH_SECONDS = 0.012;

/**
 * Makes a signal `factor` times as fast and keeps its pitch: WSOLA ("waveform similarity overlap-add", Verhelst and Roelands
 * 1993). Windows are taken from the input at `factor` times their distance in the output, each moved a little to where it
 * continues the one before best.
 */
export function timeStretch(input: Float32Array, factor: number, sampleRate: number): Float32Array<ArrayBuffer> {
  const hop = Math.round((WINDOW_SECONDS * sampleRate) / 2);
  const search = Math.round(SEARCH_SECONDS * sampleRate);
  const output = new Float32Array(Math.round(input.length / factor));
  const weights = Float64Array.from(
    { length: 2 * hop },
    (_, offset) => 0.5 - 0.5 * Math.cos((Math.PI * (offset + 0.5)) / hop),
  );
  // Padded with silence as far as a window can reach past either end, so that no read is out of bounds.
  const margin = Math.ceil(hop * (factor + 3)) + 2 * search;
  const padded = new Float32Array(input.length + 2 * margin);
  padded.set(input, margin);
  // Half a window in front, so that the first sample has its full level as well.
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

/** Where near `wanted` the input looks most like what would follow in it: at `natural`. */
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
