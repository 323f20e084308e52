import type { Logger } from 'pino';
import type { Caip2 } from '@/lib/protocol/x402/payment-required';
import type { RemoteFacilitator } from '../facilitators/remote-facilitator';
import { addressBytes } from './token-programs';

const REFRESH_MS = 3_600_000;
const RETRY_MS = 10_000;
/** Maximum fee payers to remember. A payment may contain an earlier fee payer. */
const KNOWN_MAX = 256;

/** Addresses that may pay the fees for payment transactions. */
export interface FeePayers {
  /** Returns the fee payer for payment requirements; null if unknown. */
  current(): string | null;
  /** Returns whether an address is a valid fee payer, or was one recently. */
  isKnown(address: string): boolean;
  close(): void;
}

export function ownFeePayer(address: string): FeePayers {
  return { current: () => address, isKnown: (other) => other === address, close: () => undefined };
}

/** A facilitator's fee payers, read at the start and then hourly. The rail is not offered until they are known. */
export class RemoteFeePayers implements FeePayers {
  readonly #known = new Set<string>();
  #current: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly facilitator: Pick<RemoteFacilitator, 'supportOf'>,
    private readonly network: Caip2,
    private readonly log: Logger,
  ) {
    void this.#refresh();
  }

  current(): string | null {
    return this.#current;
  }

  isKnown(address: string): boolean {
    return this.#known.has(address);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #know(address: string): void {
    this.#known.delete(address);
    this.#known.add(address);
    for (const oldest of this.#known) {
      if (this.#known.size <= KNOWN_MAX) return;
      this.#known.delete(oldest);
    }
  }

  async #refresh(): Promise<void> {
    let nextMs = REFRESH_MS;
    try {
      const { extra, signers } = await this.facilitator.supportOf(this.network);
      const { feePayer } = extra;
      if (typeof feePayer !== 'string') throw new Error('The facilitator returned no fee payer.');
      addressBytes(feePayer);
      for (const address of [...signers, feePayer]) this.#know(address);
      this.#current = feePayer;
    } catch (error) {
      nextMs = this.#current === null ? RETRY_MS : REFRESH_MS;
      this.log.warn({ err: error, network: this.network }, 'facilitator did not return its fee payers');
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#refresh(), nextMs);
    this.#timer.unref();
  }
}
