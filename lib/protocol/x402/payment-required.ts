/** Payment headers in lower case: the current header, then legacy headers (spec, "POST /x402/top-up"). */
export const PAYMENT_HEADERS = ['payment-signature', 'x-payment', 'x-402-payment'] as const;

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

/**
 * Chain names that x402 v1 clients know. Answers for v1 omit all other chains, because a v1 client refuses an answer
 * with an unknown name.
 */
const NAMES: Readonly<Record<Caip2, string>> = {
  'eip155:8453': 'base',
  'eip155:84532': 'base-sepolia',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana-devnet',
};

const NETWORKS: ReadonlyMap<string, Caip2> = new Map(
  Object.entries(NAMES).map(([network, name]) => [name, network as Caip2]),
);

export function networkOfV1Name(name: string): Caip2 | undefined {
  return NETWORKS.get(name);
}

/** Resource that is paid for (x402, ResourceInfo). */
export interface Resource {
  url: string;
  description: string;
  mimeType: string;
  /** Seller's name for catalogs, at most 32 ASCII characters. */
  serviceName?: string;
  /** At most five tags. */
  tags?: readonly string[];
}

/** PaymentRequired object of x402 v2. */
export interface PaymentRequired {
  x402Version: 2;
  error: string;
  resource: Resource;
  accepts: readonly PaymentRequirements[];
}

/** Asset with the short network name that x402 v1 clients use. */
interface NamedNetwork {
  network: Caip2;
  name: string;
  asset: string;
}

export function paymentRequired(
  resource: Resource,
  accepts: readonly PaymentRequirements[],
  error = 'Payment required',
): PaymentRequired {
  return { x402Version: 2, error, resource, accepts };
}

/** Converts PaymentRequired of x402 v2 to v1 for older clients. */
export function paymentRequiredV1({ resource, accepts, error }: PaymentRequired, networks: readonly NamedNetwork[]) {
  const nameOf = (network: Caip2, asset: string): string | undefined =>
    networks.find((rail) => rail.network === network && rail.asset === asset)?.name;
  return {
    x402Version: 1,
    error,
    accepts: accepts.flatMap((requirements) => {
      const network = nameOf(requirements.network, requirements.asset);
      if (network === undefined || networkOfV1Name(network) === undefined) return [];
      const { url, description, mimeType } = resource;
      return [
        { ...requirements, network, maxAmountRequired: requirements.amount, resource: url, description, mimeType },
      ];
    }),
  };
}
