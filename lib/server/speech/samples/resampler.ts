/** Zero crossings of the filter to each side: more are sharper and slower. */
const CROSSINGS = 12;
/** Positions between two samples for which the filter is worked out beforehand. */
const PHASES = 256;
/** Below half of the lower rate, so that what lies above it does not fold back. */
const ROLL_OFF = 0.94;

/**
 * Changes the sample rate of one channel, piece by piece: a sinc under a Hann window, in double precision. What comes
 * out is as long as what went in, to a sample.
 */
export class Resampler {
  readonly #step: number;
  readonly #reach: number;
  readonly #kernels: readonly Float64Array[];
  /** Input that is still needed; it begins at `#origin` of the whole input. */
  #input = new Float64Array(0);
  #origin: number;
  #received = 0;
  #produced = 0;

  constructor(
    private readonly fromRate: number,
    private readonly toRate: number,
  ) {
    const scale = Math.min(1, toRate / fromRate) * ROLL_OFF;
    this.#step = fromRate / toRate;
    this.#reach = Math.ceil(CROSSINGS / scale);
    this.#kernels = Array.from({ length: PHASES + 1 }, (_none, phase) => kernel(phase / PHASES, this.#reach, scale));
    // Silence before the beginning.
    this.#origin = -this.#reach;
    this.#input = new Float64Array(this.#reach);
  }

  push(samples: Float64Array): Float64Array {
    this.#received += samples.length;
    this.#append(samples);
    return this.#take(this.#received - this.#reach - 1);
  }

  /** The rest, with silence after the end. */
  end(): Float64Array {
    this.#append(new Float64Array(2 * this.#reach + 2));
    const total = Math.round((this.#received * this.toRate) / this.fromRate);
    const rest = this.#take(this.#received + this.#reach);
    return rest.subarray(0, Math.max(0, rest.length - Math.max(0, this.#produced - total)));
  }

  #append(samples: Float64Array): void {
    const joined = new Float64Array(this.#input.length + samples.length);
    joined.set(this.#input);
    joined.set(samples, this.#input.length);
    this.#input = joined;
  }

  /** All output that lies before a place of the input. */
  #take(inputEnd: number): Float64Array {
    const count = Math.max(0, Math.floor(inputEnd / this.#step) - this.#produced);
    const output = new Float64Array(count);
    for (let index = 0; index < count; index++) output[index] = this.#at((this.#produced + index) * this.#step);
    this.#produced += count;
    const keepFrom = Math.floor(this.#produced * this.#step) - this.#reach - this.#origin;
    if (keepFrom > 0) {
      this.#input = this.#input.slice(keepFrom);
      this.#origin += keepFrom;
    }
    return output;
  }

  #at(place: number): number {
    const whole = Math.floor(place);
    const weights = this.#kernels[Math.round((place - whole) * PHASES)] as Float64Array;
    const first = whole - this.#reach + 1 - this.#origin;
    let sum = 0;
    for (let tap = 0; tap < weights.length; tap++) sum += (this.#input[first + tap] ?? 0) * (weights[tap] as number);
    return sum;
  }
}

/** The weights of the samples around a place between two of them; their sum is 1. */
function kernel(fraction: number, reach: number, scale: number): Float64Array {
  const weights = new Float64Array(2 * reach);
  let sum = 0;
  for (let tap = 0; tap < weights.length; tap++) {
    const distance = tap - reach + 1 - fraction;
    const window = Math.abs(distance) >= reach ? 0 : 0.5 * (1 + Math.cos((Math.PI * distance) / reach));
    const angle = Math.PI * distance * scale;
    weights[tap] = window * (angle === 0 ? 1 : Math.sin(angle) / angle);
    sum += weights[tap] as number;
  }
  for (let tap = 0; tap < weights.length; tap++) weights[tap] = (weights[tap] as number) / sum;
  return weights;
}
