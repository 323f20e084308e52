import { familyOfChain, isSameAddress } from '@/lib/protocol/wallet-address';
import { InvalidPayment, type PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import type { Rail } from './rail';
import type { Rails, RailTerms } from './rail-terms';
import { unitsOf } from './token-amount';

/** Network to offer first. A client without a preference takes the first offer. */
const FIRST = 'eip155:8453';

/** The gateway's rails, in the order in which they are offered. */
export class RailList implements Rails {
  readonly all: readonly Rail[];
  readonly terms: readonly RailTerms[];

  constructor(
    rails: readonly Rail[],
    readonly minimumTopUpUsd: number,
    readonly suggestedTopUpUsd: number,
  ) {
    this.all = [...rails].sort(
      (one, other) => Number(other.terms.network === FIRST) - Number(one.terms.network === FIRST),
    );
    this.terms = this.all.map((rail) => rail.terms);
  }

  get minimumNanoUsd(): number {
    return Math.round(this.minimumTopUpUsd * 1e6) * 1_000;
  }

  accepts({ amountNanoUsd = this.minimumNanoUsd }: { amountNanoUsd?: number } = {}): PaymentRequirements[] {
    return this.all.flatMap((rail) => rail.requirements(unitsOf(amountNanoUsd, rail.terms.decimals)) ?? []);
  }

  /** @throws InvalidPayment whose message states the mismatch */
  railOf({ network, accepted }: PresentedPayment): Rail {
    const ofNetwork = this.all.filter(({ terms }) => terms.network === network || terms.name === network);
    const [first] = ofNetwork;
    if (!first)
      throw new InvalidPayment(
        'wrong_network',
        `Payments on ${JSON.stringify(network.slice(0, 60))} are not accepted. Pay on ${this.terms.map((terms) => terms.network).join(' or ')}.`,
      );
    if (!accepted) return first;
    const rail = ofNetwork.find(({ terms }) => isAddress(terms, terms.asset, accepted.asset));
    if (!rail)
      throw new InvalidPayment(
        'wrong_asset',
        `The token ${JSON.stringify(accepted.asset.slice(0, 60))} is not accepted on ${network}.`,
      );
    if (!isAddress(rail.terms, rail.terms.payTo, accepted.payTo))
      throw new InvalidPayment(
        'wrong_receiver',
        `Payments on ${network} must go to ${rail.terms.payTo}, not to ${JSON.stringify(accepted.payTo.slice(0, 60))}.`,
      );
    return rail;
  }

  /** Returns a recorded payment's rail, if it is still configured. */
  find(network: string, asset: string): Rail | undefined {
    return this.all.find(({ terms }) => terms.network === network && isAddress(terms, terms.asset, asset));
  }
}

function isAddress({ network }: RailTerms, ours: string, theirs: string): boolean {
  return isSameAddress(familyOfChain(network), ours, theirs);
}
