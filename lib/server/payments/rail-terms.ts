import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/requirements';

/** One way for money to come in: a token on a chain, and who receives it. */
export interface RailTerms {
  /** CAIP-2. */
  network: Caip2;
  /** The name of x402 v1 and of people, such as `base`. */
  name: string;
  /** Slug of the network in the RPC proxy, over which the chain is read. */
  rpcNetwork: string;
  /** Address or mint of the token. */
  asset: string;
  symbol: string;
  decimals: number;
  payTo: string;
}

/** What the API tells of paying in, in the order in which it offers it. */
export interface Rails {
  readonly minimumTopUpUsd: number;
  readonly suggestedTopUpUsd: number;
  readonly terms: readonly RailTerms[];
  /** The x402 v2 entries of a 402 answer, for this amount (nano-USD) or for the minimum. */
  accepts(options?: { amountNanoUsd?: number }): PaymentRequirements[];
}

/** Of a gateway that takes no payments. */
export const NO_RAILS: Rails = { minimumTopUpUsd: 5, suggestedTopUpUsd: 10, terms: [], accepts: () => [] };
