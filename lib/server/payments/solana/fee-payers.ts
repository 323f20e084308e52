import type { Logger } from 'pino';
import type { Caip2 } from '@/lib/protocol/x402/requirements';
import type { RemoteFacilitator } from '../facilitators/remote-facilitator';

const REFRESH_MS = 3_600_000;
const RETRY_MS = 10_000;

/** Who may pay the fee of a payment's transaction, and so sends it. */
export interface FeePayers {
  /** The one to name in requirements; null while it is not known. */
  current(): string | null;
  /** Whether this one is, or lately was, ours to name. */
  isKnown(address: string): boolean;
  close(): void;
}

/** The one key of this process. */
export function ownFeePayer(address: string): FeePayers {
  return { current: () => address, isKnown: (other) => other === address, close: () => undefined };
}

/** Those that a facilitator names, asked at the start and every hour. Until it answers, the rail is not offered. */
export class RemoteFeePayers implements FeePayers {
  readonly #known = new Set<string>();
  #current: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly facilitator: RemoteFacilitator,
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

  async #refresh(): Promise<void> {
    let nextMs = REFRESH_MS;
    try {
      const { feePayer } = await this.facilitator.extraOf(this.network);
      if (typeof feePayer !== 'string') throw new Error('The facilitator names no fee payer.');
      this.#current = feePayer;
      this.#known.add(feePayer);
    } catch (error) {
      nextMs = this.#current === null ? RETRY_MS : REFRESH_MS;
      this.log.warn({ err: error, network: this.network }, 'the facilitator did not say who pays fees');
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#refresh(), nextMs);
    this.#timer.unref();
  }
}
