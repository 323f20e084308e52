import type { NanoUsd } from '@/lib/protocol/pricing';

const DAY_MS = 86_400_000;

export interface SignedAmount {
  readonly nanoUsd: NanoUsd;
  readonly atMs: number;
  /** Unix milliseconds until which the chain would execute the payment; Infinity while the wallet signs. */
  executableUntilMs: number;
  /** True if the gateway reported that it took no money. */
  isRefused: boolean;
}

/**
 * Payments that a wallet signed, in one client's memory. A gateway may report a refusal and still execute the payment,
 * so each payment counts until 24 hours after its expiry on the chain.
 */
export class SignedPayments {
  #amounts: SignedAmount[] = [];

  constructor(private readonly now: () => number) {}

  /** Largest amount that these payments took, or can still take, from the wallet within 24 hours. */
  get countedNanoUsd(): NanoUsd {
    const nowMs = this.now();
    this.#amounts = this.#amounts.filter(({ executableUntilMs }) => nowMs - executableUntilMs < DAY_MS);
    return sumOf(this.#amounts);
  }

  /** Amount signed within the last 24 hours and refused by the gateway. */
  get refusedNanoUsd(): NanoUsd {
    return sumOf(this.#ofToday().filter(({ isRefused }) => isRefused));
  }

  /** Amount paid or pending within the last 24 hours. */
  get spentNanoUsd(): NanoUsd {
    return sumOf(this.#ofToday().filter(({ isRefused }) => !isRefused));
  }

  add(nanoUsd: NanoUsd): SignedAmount {
    const amount: SignedAmount = { nanoUsd, atMs: this.now(), executableUntilMs: Infinity, isRefused: false };
    this.#amounts.push(amount);
    return amount;
  }

  /** Removes a payment that the wallet did not sign. */
  remove(amount: SignedAmount): void {
    this.#amounts = this.#amounts.filter((each) => each !== amount);
  }

  #ofToday(): SignedAmount[] {
    const since = this.now() - DAY_MS;
    return this.#amounts.filter(({ atMs }) => atMs > since);
  }
}

function sumOf(amounts: readonly SignedAmount[]): NanoUsd {
  return amounts.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0);
}
