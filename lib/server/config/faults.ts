/** Collects faults by field path or variable name. Keeps only the first fault of each field or variable. */
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

/** Thrown for an unusable configuration. Each fault names a field and the expected value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly faults: readonly string[],
    readonly warnings: readonly string[] = [],
  ) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** Exit code for an unusable configuration (EX_CONFIG of sysexits). A restart would not help. */
const CONFIGURATION_EXIT_CODE = 78;

/**
 * Returns the exit code of a failed start. Recognizes ConfigError by name, because each bundle has its own copy of the
 * class.
 */
export function startFailureExitCode(error: unknown): number {
  return error instanceof Error && error.name === 'ConfigError' ? CONFIGURATION_EXIT_CODE : 1;
}
