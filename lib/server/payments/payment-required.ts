import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { RailTerms } from './rails';

/** What is to be paid for (x402, ResourceInfo). */
export interface Resource {
  url: string;
  description: string;
  mimeType: string;
}

/** Names of networks that clients of x402 v1 know: they refuse an answer that has any other. */
const V1_NAMES: ReadonlySet<string> = new Set(['base', 'base-sepolia', 'solana', 'solana-devnet']);

/** An x402 v2 PaymentRequired object. */
export function paymentRequired(resource: Resource, accepts: readonly PaymentRequirements[], error: string) {
  return { x402Version: 2, error, resource, accepts };
}

/** The same in the form of v1, for clients that know nothing else. */
export function paymentRequiredV1(resource: Resource, accepts: readonly PaymentRequirements[], terms: readonly RailTerms[], error: string) {
  const nameOf = (network: Caip2, asset: string): string | undefined => terms.find((rail) => rail.network === network && rail.asset === asset)?.name;
  return {
    x402Version: 1,
    error,
    accepts: accepts.flatMap((requirements) => {
      const network = nameOf(requirements.network, requirements.asset);
      if (network === undefined || !V1_NAMES.has(network)) return [];
      const { url, description, mimeType } = resource;
      return [{ ...requirements, network, maxAmountRequired: requirements.amount, resource: url, description, mimeType }];
    }),
  };
}
