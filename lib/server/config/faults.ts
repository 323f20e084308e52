/** Where faults are put, by the path of their field or the name of their variable; the first of a path counts. */
export class Faults {
  readonly #sentences = new Map<string, string>();

  /** Notes what is wrong with a field, unless something is known to be wrong with it already. */
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

  /** As they are told: `path: sentence`. */
  lines(): string[] {
    return [...this.#sentences].map(([path, sentence]) => `${path}: ${sentence}`);
  }
}

/** What stops a start, and what is only doubtful and is told beside it. */
export interface Findings {
  faults: Faults;
  warnings: Faults;
}
