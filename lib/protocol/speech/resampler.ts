/** Number of the sinc's zero crossings on each side. With `KAISER_BETA`, the stop-band attenuation exceeds 60 dB. */
const ZERO_CROSSINGS = 16;
const KAISER_BETA = 8;
/** Share of the bandwidth that passes. The filter rolls off over the remaining bandwidth. */
const PASS_BAND = 0.94;

/**
 * Resamples a mono signal in chunks with a windowed sinc. Output positions are exact fractions, so long signals do not
 * drift. Samples are floats, and the output has no delay.
 */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #half: number;
  readonly #phases: (Float32Array | undefined)[];
  #input: Float32Array;
  #inputStart: number;
  #received = 0;
  #produced = 0;

  /** `from` and `to` are the sample rates of input and output. Both are integers. */
  constructor(
    private readonly from: number,
    private readonly to: number,
  ) {
    const divisor = greatestCommonDivisor(from, to);
    this.#up = to / divisor;
    this.#down = from / divisor;
    this.#half = Math.ceil(ZERO_CROSSINGS * Math.max(1, from / to));
    this.#phases = Array<Float32Array | undefined>(this.#up);
    this.#inputStart = -this.#half;
    this.#input = new Float32Array(this.#half);
  }

  /** Accepts samples. Returns all output that later samples cannot change. */
  push(samples: Float32Array): Float32Array {
    if (this.from === this.to) return samples;
    this.#received += samples.length;
    this.#append(samples);
    const known = this.#inputStart + this.#input.length - this.#half;
    return this.#produceBefore(Math.ceil((known * this.#up) / this.#down));
  }

  /** Ends the signal. Returns the remaining output. The whole output lasts as long as the whole input. */
  end(): Float32Array {
    if (this.from === this.to) return new Float32Array(0);
    this.#append(new Float32Array(2 * this.#half));
    return this.#produceBefore(Math.round((this.#received * this.#up) / this.#down));
  }

  #append(samples: Float32Array): void {
    const nextPosition = Math.floor((this.#produced * this.#down) / this.#up);
    const unused = Math.min(this.#input.length, Math.max(0, nextPosition - this.#half - this.#inputStart));
    const kept = this.#input.subarray(unused);
    const joined = new Float32Array(kept.length + samples.length);
    joined.set(kept);
    joined.set(samples, kept.length);
    this.#input = joined;
    this.#inputStart += unused;
  }

  #produceBefore(end: number): Float32Array {
    const output = new Float32Array(Math.max(0, end - this.#produced));
    const input = this.#input;
    for (let at = 0; at < output.length; at += 1) {
      const position = (this.#produced + at) * this.#down;
      const filter = this.#filter(position % this.#up);
      const start = Math.floor(position / this.#up) - this.#half + 1 - this.#inputStart;
      let sum = 0;
      for (let tap = 0; tap < filter.length; tap += 1) sum += (filter[tap] ?? 0) * (input[start + tap] ?? 0);
      output[at] = sum;
    }
    this.#produced += output.length;
    return output;
  }

  /** Returns the filter taps for an output sample that is `phase / up` samples after an input sample. */
  #filter(phase: number): Float32Array {
    const known = this.#phases[phase];
    if (known) return known;
    const cutoff = PASS_BAND * Math.min(1, this.to / this.from);
    const filter = new Float32Array(2 * this.#half);
    let sum = 0;
    for (let tap = 0; tap < filter.length; tap += 1) {
      const distance = tap - this.#half + 1 - phase / this.#up;
      const value = cutoff * sinc(cutoff * distance) * kaiser(distance / this.#half);
      filter[tap] = value;
      sum += value;
    }
    // Normalizes each phase, so that a constant signal stays constant.
    for (let tap = 0; tap < filter.length; tap += 1) filter[tap] = (filter[tap] ?? 0) / sum;
    this.#phases[phase] = filter;
    return filter;
  }
}

/** Rounds and clips samples to 16 bits. */
export function floatsToInt16(floats: Float32Array): Int16Array<ArrayBuffer> {
  const samples = new Int16Array(floats.length);
  for (let at = 0; at < floats.length; at += 1)
    samples[at] = Math.max(-32_768, Math.min(32_767, Math.round((floats[at] ?? 0) * 32_768)));
  return samples;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);
}

function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 32; k += 1) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
