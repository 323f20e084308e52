/** The texts that an enclave signs, by completion, for as long as it remembers. */
export class SignedExchanges {
  readonly #texts = new Map<string, string>();

  constructor(private readonly exchangesMax = 1_000) {}

  /** @param text `sha256(request):sha256(response)` */
  remember(completionId: string, text: string): void {
    this.#texts.set(completionId, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > this.exchangesMax && oldest !== undefined) this.#texts.delete(oldest);
  }

  textOf(completionId: string): string | null {
    return this.#texts.get(completionId) ?? null;
  }
}
