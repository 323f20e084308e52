/** Bounded map whose values expire. Drops its oldest entry when full. */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, { value: Value; until: number }>();

  constructor(
    private readonly entriesMax: number,
    private readonly keptMs: number,
    private readonly now: () => number,
  ) {}

  /** @returns undefined if absent or expired */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.now() < entry.until) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** @param keptMs lifetime. Default: the lifetime of the map */
  set(key: string, value: Value, keptMs = this.keptMs): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.now() + keptMs });
    if (this.#entries.size <= this.entriesMax) return;
    for (const [oldest] of this.#entries) {
      this.#entries.delete(oldest);
      break;
    }
  }
}
