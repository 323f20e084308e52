import type { Network } from '@/lib/protocol/networks';
import { costNanoUsd, creditsOf, type NanoUsd } from '@/lib/protocol/pricing';
import { ETH_METHODS } from '@/lib/protocol/rpc-methods/eth';
import type { RequestQuote } from '../request-quote';

const ETH_METHOD_OF = new Map(ETH_METHODS.map((method) => [method.name, method]));

/**
 * The price of `eth_` methods on an EVM network, by the table of these alone, which the page has from the start.
 * @returns what `quoteRequest` returns; null for everything else, which takes the whole table
 */
export function quoteAtOnce(network: Network, methodNames: readonly string[], pricePerCreditNanoUsd: NanoUsd): RequestQuote | null {
  if (network.kind !== 'evm') return null;
  let credits = 0;
  for (const name of methodNames) {
    const method = ETH_METHOD_OF.get(name);
    if (method === undefined) return null;
    credits += creditsOf(network, method);
  }
  return { kind: 'price', credits, costNanoUsd: costNanoUsd(credits, pricePerCreditNanoUsd) };
}
