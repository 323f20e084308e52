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
  /** Client address in canonical form; null if unknown. */
  client: string | null;
  payer: string;
  /**
   * True if the payer's key is known to have signed the payment. Otherwise, only a node can check the signature, and
   * the number of such checks is limited.
   */
  isProven: boolean;
}

export type SharedChecks = Pick<ContractChecks, 'share'>;

/** Maximum number of key-signed payments that are verified at the same time. Each verification queries a node. */
const VERIFIED_AT_ONCE = 64;

/** Error for a payment that was neither verified nor recorded, because too many payments are open. */
export class TooManyPayments extends Error {
  override readonly name = 'TooManyPayments';

  /** Compares class names, because each bundle has its own copy of the class. */
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
 * Limits open payments, because nodes are queried for each of them. Verifications in other processes are not counted,
 * so the limit may be slightly exceeded.
 */
export class OpenPayments {
  readonly #entering = new Set<Presenter>();

  constructor(
    private readonly db: Database,
    /** Routes whose open payments count towards the limits. The gateway does not look up payments on other routes. */
    private readonly routes: readonly PaymentRoute[],
    private readonly max: OpenPaymentsMax,
    /** Limits the verification of payments that anyone can forge in a wallet's name; null for no limit. */
    private readonly checks: SharedChecks | null,
  ) {}

  /**
   * Verifies and records a payment by calling `record`, if the limits allow one more open payment.
   * @throws TooManyPayments
   */
  async enter<Result>(presenter: Presenter, record: () => Promise<Result>): Promise<Result> {
    this.#refuseCrowd(presenter);
    this.#entering.add(presenter);
    try {
      // A payment being verified counts once, even if the store already has it.
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
      // Unproven payments do not count towards the payer's limit, because anyone may send them in the payer's name.
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
