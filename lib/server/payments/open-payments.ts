import { isApiError } from '@/lib/protocol/errors';
import type { ContractChecks } from '../auth/contract-checks';
import { type OpenCounts, countOpen, type PaymentRoute } from '../db/payments';
import type { Database } from '../db/schema';

export interface OpenPaymentsMax {
  perAddress: number;
  perPayer: number;
  total: number;
}

interface Presenter {
  identity: string;
  /** Canonical client address; null if unknown. */
  client: string | null;
  payer: string;
  /**
   * True if the payer's key certainly signed. Other payments share the slots for signatures that only a node can check.
   */
  isProven: boolean;
}

export type SharedChecks = Pick<ContractChecks, 'share'>;

/** Maximum concurrent verifications of key-signed payments. Each queries a node. */
const VERIFIED_AT_ONCE = 64;

/** Too many payments are open. This payment was neither verified nor recorded. */
export class TooManyPayments extends Error {
  override readonly name = 'TooManyPayments';

  /** Compares names, because each bundle has its own copy of the class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'TooManyPayments';
  }

  constructor(
    readonly scope: 'address' | 'payer' | 'all',
    readonly limit: number,
  ) {
    super(SENTENCES[scope]);
  }
}

const SENTENCES = {
  address: 'Too many payments from this address are pending.',
  payer: 'Too many payments of this wallet are pending.',
  all: 'Too many payments are pending.',
} as const;

/**
 * Limits open payments, because nodes are queried for each. Does not count verifications in other processes, so the
 * limit may be slightly exceeded.
 */
export class OpenPayments {
  readonly #entering = new Set<Presenter>();

  constructor(
    private readonly db: Database,
    /** Routes whose open payments count. Payments of other routes are not looked up. */
    private readonly routes: readonly PaymentRoute[],
    private readonly max: OpenPaymentsMax,
    /** Limits verification of payments that anyone can forge in a wallet's name; null for no limit. */
    private readonly checks: SharedChecks | null,
  ) {}

  /** Verifies and records a payment if the limits of open payments permit it. @throws TooManyPayments */
  async enter<Result>(presenter: Presenter, record: () => Promise<Result>): Promise<Result> {
    this.#refuseCrowd(presenter);
    this.#entering.add(presenter);
    try {
      // A payment that is being verified counts once, even if it is already in the store.
      const identities = [...this.#entering].map(({ identity }) => identity);
      const entering = this.#countEntering(presenter);
      this.#refuseExcess(
        entering,
        await countOpen(this.db, presenter, { routes: this.routes, without: identities }),
        presenter,
      );
      return await this.#shared(presenter, record);
    } finally {
      this.#entering.delete(presenter);
    }
  }

  #refuseCrowd({ isProven }: Presenter): void {
    if (isProven && [...this.#entering].filter((each) => each.isProven).length >= VERIFIED_AT_ONCE)
      throw new TooManyPayments('all', VERIFIED_AT_ONCE);
  }

  async #shared<Result>({ isProven, payer, client }: Presenter, record: () => Promise<Result>): Promise<Result> {
    if (isProven || !this.checks) return record();
    const asked = await this.checks.share({ wallet: payer, clientIp: client ?? '' }, record).catch((error: unknown) => {
      throw isApiError(error) ? new TooManyPayments('address', this.max.perAddress) : error;
    });
    if (!asked) throw new TooManyPayments('all', this.max.total);
    return asked.answer;
  }

  #countEntering({ client, payer }: Presenter): OpenCounts {
    const entering = [...this.#entering];
    return {
      client: entering.filter((each) => client !== null && each.client === client).length,
      // Unproven payments do not count for the payer, because anyone may send them in the payer's name.
      payer: entering.filter((each) => each.payer === payer && each.isProven).length,
      all: entering.length,
    };
  }

  #refuseExcess(entering: OpenCounts, open: OpenCounts, { client }: Presenter): void {
    if (client !== null && entering.client + open.client > this.max.perAddress)
      throw new TooManyPayments('address', this.max.perAddress);
    if (entering.payer + open.payer > this.max.perPayer) throw new TooManyPayments('payer', this.max.perPayer);
    if (entering.all + open.all > this.max.total) throw new TooManyPayments('all', this.max.total);
  }
}
