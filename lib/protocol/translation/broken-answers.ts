/** Time after a broken stream during which a repeated request counts as a retry. */
const REPETITION_MS = 5_000;
const REQUESTS_MAX = 1_000;

/**
 * Remembers for a few seconds the requests whose streams broke off. Claude Code silently retries without a stream, and
 * its user would pay twice. If the gateway refuses the retry, Claude Code shows the error.
 */
export class BrokenAnswers {
  /** Failure times by request fingerprint, oldest first. */
  readonly #brokenAtMs = new Map<string, number>();

  /** @param nowMs monotonic clock */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  note(fingerprint: string): void {
    this.#brokenAtMs.delete(fingerprint);
    this.#brokenAtMs.set(fingerprint, this.nowMs());
    const [oldest] = this.#brokenAtMs.keys();
    if (this.#brokenAtMs.size > REQUESTS_MAX && oldest !== undefined) this.#brokenAtMs.delete(oldest);
  }

  /**
   * Returns whether a non-streaming request repeats a request whose stream just broke off. Returns true only once per
   * broken stream.
   */
  isRepeated(fingerprint: () => string): boolean {
    if (this.#brokenAtMs.size === 0) return false;
    const key = fingerprint();
    const atMs = this.#brokenAtMs.get(key);
    this.#brokenAtMs.delete(key);
    return atMs !== undefined && this.nowMs() - atMs < REPETITION_MS;
  }
}

/**
 * Returns the parts of a request that an automatic retry repeats. Leaves out the token limit, which Claude Code changes
 * in a retry.
 */
export function conversationText({
  model,
  system,
  instructions,
  messages,
  input,
}: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([model, system, instructions, messages, input]);
}
