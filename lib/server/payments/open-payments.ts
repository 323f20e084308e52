import { type OpenCounts, countOpen } from '../store/payments';
import type { Database } from '../store/schema';

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
  /** Whether the payer's key is known to have signed: of the others a few are verified at a time. */
  isProven: boolean;
}

/** Payments that are verified at a time, each of which asks a node some questions. */
const VERIFIED_AT_ONCE = 64;
/** Of these, payments whose signature only a node can judge: anybody can make such up, in any wallet's name. */
const UNPROVEN_AT_ONCE = 8;
/** Of these, payments that one client address presents: the others are for smart wallets elsewhere. */
const UNPROVEN_PER_ADDRESS = 2;

/** There is no room for another payment. It was not verified, and nothing of it was kept. */
export class TooManyPayments extends Error {
  override readonly name = 'TooManyPayments';

  /** Known by its name: bundles of one process have classes of their own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'TooManyPayments';
  }

  constructor(readonly scope: 'address' | 'payer' | 'all') {
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
    private readonly max: OpenPaymentsMax,
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
      this.#refuseExcess(entering, await countOpen(this.db, presenter, identities), presenter);
      return await record();
    } finally {
      this.#entering.delete(presenter);
    }
  }

  #refuseCrowd({ isProven, client }: Presenter): void {
    const ofNobody = [...this.#entering].filter((each) => !each.isProven);
    const unproven = ofNobody.length;
    const isSameClient = (each: Presenter): boolean => client !== null && each.client === client;
    if (!isProven && ofNobody.filter(isSameClient).length >= UNPROVEN_PER_ADDRESS) throw new TooManyPayments('address');
    if (this.#entering.size - unproven >= VERIFIED_AT_ONCE && isProven) throw new TooManyPayments('all');
    if (unproven >= UNPROVEN_AT_ONCE && !isProven) throw new TooManyPayments('all');
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
    if (client !== null && entering.client + open.client > this.max.perAddress) throw new TooManyPayments('address');
    if (entering.payer + open.payer > this.max.perPayer) throw new TooManyPayments('payer');
    if (entering.all + open.all > this.max.total) throw new TooManyPayments('all');
  }
}
