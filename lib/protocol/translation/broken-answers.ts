/** A program that repeats by itself does so at once. */
const REPETITION_MS = 5_000;
const REQUESTS_MAX = 1_000;

/**
 * Remembers requests whose streamed answers broke off, for some seconds. Claude Code then asks for the same without a
 * stream and shows nothing of it, so that its user would pay twice without knowing. It shows an answer that is refused.
 */
export class BrokenAnswers {
  /** When each broke off, by its fingerprint, the oldest first. */
  readonly #brokenAtMs = new Map<string, number>();

  /** @param nowMs a clock that never goes back */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Notes that a streamed answer broke off. */
  note(fingerprint: string): void {
    this.#brokenAtMs.delete(fingerprint);
    this.#brokenAtMs.set(fingerprint, this.nowMs());
    const [oldest] = this.#brokenAtMs.keys();
    if (this.#brokenAtMs.size > REQUESTS_MAX && oldest !== undefined) this.#brokenAtMs.delete(oldest);
  }

  /** Whether a request without a stream repeats one that has just broken off. It may be asked again after that. */
  isRepeated(fingerprint: () => string): boolean {
    if (this.#brokenAtMs.size === 0) return false;
    const key = fingerprint();
    const atMs = this.#brokenAtMs.get(key);
    this.#brokenAtMs.delete(key);
    return atMs !== undefined && this.nowMs() - atMs < REPETITION_MS;
  }
}

/** The conversation of a request, by which its repetition is known: Claude Code's has other limits, too. */
export function conversationText({
  model,
  system,
  instructions,
  messages,
  input,
}: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([model, system, instructions, messages, input]);
}
