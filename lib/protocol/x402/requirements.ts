/** A chain by its CAIP-2 name, such as `eip155:8453`. */
export type Caip2 = `${string}:${string}`;

/** One way to pay: what a wallet signs, exactly (x402 v2, PaymentRequirements; spec, "402 bodies"). */
export interface PaymentRequirements {
  scheme: 'exact';
  network: Caip2;
  /** Address or mint of the token. */
  asset: string;
  /** Base units, in digits. */
  amount: string;
  /** Who receives it. */
  payTo: string;
  maxTimeoutSeconds: number;
  /** What the network's scheme needs: the token's EIP-712 name and version on EVM, the fee payer on Solana. */
  extra: Record<string, unknown>;
}
