import type { NanoUsd } from '@/lib/protocol/pricing';

const DAY_MS = 86_400_000;

/** A payment that was signed, or is being signed. */
export interface SignedAmount {
  readonly nanoUsd: NanoUsd;
  readonly atMs: number;
  /** Until when its chain would execute it, Unix milliseconds; Infinity while the wallet signs. */
  executableUntilMs: number;
  /** Whether the gateway said that it took nothing. */
  isRefused: boolean;
}

/**
 * What a wallet signed away, in the memory of one client. A gateway that says "refused" may execute a payment all the
 * same, up to the last moment at which its chain would. So each counts toward the day until 24 hours after that moment.
 */
export class SignedPayments {
  #amounts: SignedAmount[] = [];

  constructor(private readonly now: () => number) {}

  /** The most that was or can be taken of the wallet within 24 hours. */
  get countedNanoUsd(): NanoUsd {
    const nowMs = this.now();
    this.#amounts = this.#amounts.filter(({ executableUntilMs }) => nowMs - executableUntilMs < DAY_MS);
    return sumOf(this.#amounts);
  }

  /** What was signed within the last 24 hours, and refused by the gateway. */
  get refusedNanoUsd(): NanoUsd {
    return sumOf(this.#ofToday().filter(({ isRefused }) => isRefused));
  }

  /** What was paid, or is being paid, within the last 24 hours. */
  get spentNanoUsd(): NanoUsd {
    return sumOf(this.#ofToday().filter(({ isRefused }) => !isRefused));
  }

  add(nanoUsd: NanoUsd): SignedAmount {
    const amount: SignedAmount = { nanoUsd, atMs: this.now(), executableUntilMs: Infinity, isRefused: false };
    this.#amounts.push(amount);
    return amount;
  }

  /** Takes one out that the wallet did not sign. */
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
