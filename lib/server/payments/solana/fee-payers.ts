import type { Logger } from 'pino';
import type { Caip2 } from '@/lib/protocol/x402/requirements';
import type { RemoteFacilitator } from '../facilitators/remote-facilitator';
import { addressBytes } from './token-programs';

const REFRESH_MS = 3_600_000;
const RETRY_MS = 10_000;
/** A payment names a fee payer of a minute ago; facilitators have a few. */
const KNOWN_MAX = 256;

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

  /** Newest last; the oldest is forgotten. */
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
      if (typeof feePayer !== 'string') throw new Error('The facilitator names no fee payer.');
      addressBytes(feePayer);
      for (const address of [...signers, feePayer]) this.#know(address);
      this.#current = feePayer;
    } catch (error) {
      nextMs = this.#current === null ? RETRY_MS : REFRESH_MS;
      this.log.warn({ err: error, network: this.network }, 'the facilitator did not say who pays fees');
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#refresh(), nextMs);
    this.#timer.unref();
  }
}
