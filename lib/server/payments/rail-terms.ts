import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/payment-required';

/** Terms of payment: a token on a chain, and the receiver of the money. */
export interface RailTerms {
  network: Caip2;
  /** Name in x402 v1, such as `base`. */
  name: string;
  /** Network of the RPC proxy through which the gateway reads the chain. */
  rpcNetwork: string;
  asset: string;
  symbol: string;
  decimals: number;
  payTo: string;
}

/** Published payment terms, in order of preference. */
export interface Rails {
  readonly minimumTopUpUsd: number;
  readonly suggestedTopUpUsd: number;
  readonly terms: readonly RailTerms[];
  /**
   * Returns the entries of `accepts` in a 402 (x402 v2). The amount is given in nano-USD; by default it is the minimum.
   */
  accepts(options?: { amountNanoUsd?: number }): PaymentRequirements[];
}

export const NO_RAILS: Rails = { minimumTopUpUsd: 5, suggestedTopUpUsd: 10, terms: [], accepts: () => [] };
