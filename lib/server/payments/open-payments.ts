import { isApiError } from '@/lib/protocol/errors';
import type { ContractChecks } from '../auth/contract-checks';
import { type OpenCounts, countOpen, type PaymentRoute } from '../db/payments';
import type { Database } from '../db/schema';

/** How many payments may be open. */
export interface OpenPaymentsMax {
  perAddress: number;
  perPayer: number;
  total: number;
}

/** Who a new payment comes from. */
export interface Presenter {
  /** The payment's. */
  identity: string;
  /** Address of the client, in its canonical form; null where it is not known. */
  client: string | null;
  payer: string;
  /** Whether the payer's key is known to have signed; the others share the slots of signatures that only a node can judge. */
  isProven: boolean;
}

/** The part of `ContractChecks` that payments take. */
export type SharedChecks = Pick<ContractChecks, 'share'>;

/** Payments that keys signed and that are verified at a time, each of which asks a node some questions. */
const VERIFIED_AT_ONCE = 64;

/** There is no room for another payment. It was not verified, and nothing of it was kept. */
export class TooManyPayments extends Error {
  override readonly name = 'TooManyPayments';

  /** Known by its name: bundles of one process have classes of their own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'TooManyPayments';
  }

  constructor(
    readonly scope: 'address' | 'payer' | 'all',
    /** How many may be under way. */
    readonly limit: number,
  ) {
    super(SENTENCES[scope]);
  }
}

const SENTENCES = {
  address: 'Too many payments that came from this address are under way.',
  payer: 'Too many payments of this wallet are under way.',
  all: 'Too many payments are under way.',
} as const;

/**
 * Bounds what may be open: each open payment is looked up until it ends, which costs calls to nodes. What is being
 * verified counts as open; between processes the store counts, so that a few more may come in at the same moment.
 */
export class OpenPayments {
  readonly #entering = new Set<Presenter>();

  constructor(
    private readonly db: Database,
    /** What of the open counts: by other routes than these nothing is looked up. */
    private readonly routes: readonly PaymentRoute[],
    private readonly max: OpenPaymentsMax,
    /** Bounds the verification of payments that anybody can make up in a wallet's name; unbounded without. */
    private readonly checks: SharedChecks | null,
  ) {}

  /**
   * Runs what verifies and records a payment, where there is room for it.
   * @throws TooManyPayments
   */
  async enter<Result>(presenter: Presenter, record: () => Promise<Result>): Promise<Result> {
    this.#refuseCrowd(presenter);
    this.#entering.add(presenter);
    try {
      // Whether these are in the store by the time it counts does not matter: they count once.
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
      // Whoever is not proven may use a payer's name without the payer.
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
