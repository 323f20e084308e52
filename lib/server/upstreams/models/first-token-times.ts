/** Times kept per model: few, so that their median soon follows a change. */
const KEPT_MAX = 32;

/** Recent times to the first token of a server's models, in milliseconds. Kept in this process only. */
export class FirstTokenTimes {
  readonly #times = new Map<string, number[]>();

  note(model: string, ms: number): void {
    const times = [...(this.#times.get(model) ?? []), ms];
    this.#times.set(model, times.slice(-KEPT_MAX));
  }

  /** Returns null before the first chat. */
  medianMs(model: string): number | null {
    const times = this.#times.get(model)?.toSorted((one, other) => one - other);
    const median = times?.[Math.floor(times.length / 2)];
    return median === undefined ? null : Math.round(median);
  }
}
