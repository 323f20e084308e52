/** Texts that an enclave signs, by completion id. Keeps only the latest texts. */
export class SignedExchanges {
  readonly #signed = new Map<string, { model: string; text: string }>();

  constructor(private readonly exchangesMax = 1_000) {}

  /** @param text `sha256(request):sha256(response)` */
  remember(completionId: string, model: string, text: string): void {
    this.#signed.set(completionId, { model, text });
    const [oldest] = this.#signed.keys();
    if (this.#signed.size > this.exchangesMax && oldest !== undefined) this.#signed.delete(oldest);
  }

  /** @param model completion's model, or null for any model */
  textOf(completionId: string, model: string | null): string | null {
    const signed = this.#signed.get(completionId);
    return signed && (model === null || model === signed.model) ? signed.text : null;
  }
}
