import type { Caip2, PaymentRequirements } from './requirements';
import { networkOfV1Name } from './v1-networks';

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
