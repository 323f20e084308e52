import type { Caip2, PaymentRequirements } from './requirements';
import { networkOfV1Name } from './v1-networks';

/** What is to be paid for (x402, ResourceInfo). */
export interface Resource {
  url: string;
  description: string;
  mimeType: string;
  /** Who sells it, for catalogues: at most 32 characters of ASCII. */
  serviceName?: string;
  /** At most five. */
  tags?: readonly string[];
}

/** What x402 v2 says of a payment that is missing. */
export interface PaymentRequired {
  x402Version: 2;
  error: string;
  resource: Resource;
  accepts: readonly PaymentRequirements[];
}

/** An asset on a network, with the short name that clients of x402 v1 know the network by. */
export interface NamedNetwork {
  network: Caip2;
  name: string;
  asset: string;
}

/** An x402 v2 PaymentRequired object. */
export function paymentRequired(
  resource: Resource,
  accepts: readonly PaymentRequirements[],
  error = 'Payment required',
): PaymentRequired {
  return { x402Version: 2, error, resource, accepts };
}

/** The same in the form of v1, for clients that know nothing else. */
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
