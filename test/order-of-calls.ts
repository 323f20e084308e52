/**
 * Which calls may be made at once so that their order is known: those of one account go through one gateway; one that is
 * charged in a second step is its account's only one; and none uses an idempotency key of another, which ends with a
 * commit that the model does not know.
 */
export class OrderOfCalls {
  readonly #gateways = new Map<number, number>();
  readonly #closed = new Set<number>();
  readonly #keys = new Set<string>();

  admits(account: number, gateway: number, { isInTwoSteps }: { isInTwoSteps: boolean }): boolean {
    if (
      this.#closed.has(account) ||
      (this.#gateways.get(account) ?? gateway) !== gateway ||
      (isInTwoSteps && this.#gateways.has(account))
    )
      return false;
    this.#gateways.set(account, gateway);
    if (isInTwoSteps) this.#closed.add(account);
    return true;
  }

  /** @returns whether it is the first. */
  usesKey(account: number, key: string): boolean {
    const name = `${account} ${key}`;
    const isFirst = !this.#keys.has(name);
    this.#keys.add(name);
    return isFirst;
  }
}
