/** Collects faults by field path or variable name. Keeps only the first fault of each. */
export class Faults {
  readonly #sentences = new Map<string, string>();

  set(path: string, sentence: string): void {
    if (!this.#sentences.has(path)) this.#sentences.set(path, sentence);
  }

  has(path: string): boolean {
    return this.#sentences.has(path);
  }

  get size(): number {
    return this.#sentences.size;
  }

  keys(): string[] {
    return [...this.#sentences.keys()];
  }

  /** Returns the faults as lines of `path: sentence`. */
  lines(): string[] {
    return [...this.#sentences].map(([path, sentence]) => `${path}: ${sentence}`);
  }
}

/** Faults that prevent a start, and warnings that do not. */
export interface Findings {
  faults: Faults;
  warnings: Faults;
}
