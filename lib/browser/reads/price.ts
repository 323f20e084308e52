'use client';

import { DEFAULT_PRICE_PER_CREDIT_NANO_USD, type NanoUsd, readUsd } from '@/lib/protocol/pricing';
import { useGatewaySettings } from './settings';

/** Returns this gateway's price of a credit; the list price until the settings arrive. */
export function usePricePerCredit(): NanoUsd {
  const { data } = useGatewaySettings();
  return readPrice(data?.pricePerCreditUsd ?? null) ?? DEFAULT_PRICE_PER_CREDIT_NANO_USD;
}

/** Names of chains whose calls cost more, by the first part of their slugs. */
const DEAR_CHAINS: ReadonlyMap<string, string> = new Map([
  ['zksync', 'zkSync Era'],
  ['solana', 'Solana'],
]);

/** Returns a call's base credits on the cheapest connected network, and the names of the dearer ones. */
export function useCheapestCall(): { credits: number; isSolana: boolean; dear: readonly string[] } {
  const chains = useGatewaySettings().data?.connectedNetworks?.map((slug) => slug.split('-')[0] ?? '') ?? [];
  const areAll = (holds: (chain: string) => boolean) => chains.length > 0 && chains.every(holds);
  const areAllDear = areAll((chain) => DEAR_CHAINS.has(chain));
  return {
    credits: areAllDear ? 30 : 20,
    dear: areAllDear ? [] : [...DEAR_CHAINS].filter(([chain]) => chains.includes(chain)).map(([, name]) => name),
    isSolana: areAll((chain) => chain === 'solana'),
  };
}

export function readPrice(text: string | null): NanoUsd | null {
  return text === null ? null : readUsd(text);
}
