import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/payment-required';

/** Payment terms: a token on a chain, and its receiver. */
export interface RailTerms {
  network: Caip2;
  /** x402 v1 name, such as `base`. */
  name: string;
  /** RPC proxy network through which the gateway reads the chain. */
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
  /** Returns the `accepts` entries of a 402 (x402 v2), for an amount in nano-USD or for the minimum. */
  accepts(options?: { amountNanoUsd?: number }): PaymentRequirements[];
}

export const NO_RAILS: Rails = { minimumTopUpUsd: 5, suggestedTopUpUsd: 10, terms: [], accepts: () => [] };
