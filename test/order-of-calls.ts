/**
 * Decides which calls may run in parallel without losing a known order:
 *
 * - calls of one account go through one gateway;
 * - a call that is reserved and charged in two steps is the only call of its account;
 * - no two calls use the same idempotency key, because the model does not know when that key's commit ends.
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

  /** @returns true for the first use of the key */
  usesKey(account: number, key: string): boolean {
    const name = `${account} ${key}`;
    const isFirst = !this.#keys.has(name);
    this.#keys.add(name);
    return isFirst;
  }
}
