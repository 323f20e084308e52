'use client';

import { DEFAULT_PRICE_PER_CREDIT_NANO_USD, type NanoUsd, readUsd } from '@/lib/protocol/pricing';
import { useGatewaySettings } from './settings';

/** Returns this gateway's price of a credit; the list price until the settings arrive. */
export function usePricePerCredit(): NanoUsd {
  const { data } = useGatewaySettings();
  return readPrice(data?.pricePerCreditUsd ?? null) ?? DEFAULT_PRICE_PER_CREDIT_NANO_USD;
}

/** Chains whose calls cost more, by the first part of their slugs. Without the network table, like `first-request.ts`. */
const DEAR_CHAINS: ReadonlySet<string> = new Set(['solana', 'zksync']);

/** Returns the base credits of a call to the cheapest connected network, and whether all connected ones are Solana's. */
export function useCheapestCall(): { credits: number; isSolana: boolean } {
  const chains = useGatewaySettings().data?.connectedNetworks?.map((slug) => slug.split('-')[0] ?? '') ?? [];
  const areAll = (holds: (chain: string) => boolean) => chains.length > 0 && chains.every(holds);
  return {
    credits: areAll((chain) => DEAR_CHAINS.has(chain)) ? 30 : 20,
    isSolana: areAll((chain) => chain === 'solana'),
  };
}

export function readPrice(text: string | null): NanoUsd | null {
  return text === null ? null : readUsd(text);
}
