/** CAIP-2 name, such as `eip155:8453`. */
export type Caip2 = `${string}:${string}`;

/** Payment option whose exact values the wallet signs (x402 v2, PaymentRequirements; spec, "402 bodies"). */
export interface PaymentRequirements {
  scheme: 'exact';
  network: Caip2;
  /** Address or mint of the token. */
  asset: string;
  /** Base units, as digits. */
  amount: string;
  payTo: string;
  maxTimeoutSeconds: number;
  /** Data for the payment scheme: the token's EIP-712 name and version on EVM, the fee payer on Solana. */
  extra: Record<string, unknown>;
}
