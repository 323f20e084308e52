import type { Network } from '@/lib/protocol/networks';
import { costNanoUsd, creditsOf, type NanoUsd } from '@/lib/protocol/pricing';
import type { RequestQuote } from '../request-quote';

/** What is called most on EVM chains, all of the standard tier; `quote-at-once.test.ts` holds it to the table. */
const MOST_CALLED: ReadonlySet<string> = new Set(
  [
    'blockNumber',
    'call',
    'chainId',
    'estimateGas',
    'feeHistory',
    'gasPrice',
    'getBalance',
    'getBlockByNumber',
    'getCode',
    'getLogs',
    'getStorageAt',
    'getTransactionByHash',
    'getTransactionCount',
    'getTransactionReceipt',
    'sendRawTransaction',
  ].map((name) => `eth_${name}`),
);

/**
 * The price of what is called most on an EVM network, which the page knows from the start.
 * @returns what `quoteRequest` returns; null for everything else, which takes the whole table
 */
export function quoteAtOnce(
  network: Network,
  methodNames: readonly string[],
  pricePerCreditNanoUsd: NanoUsd,
): RequestQuote | null {
  if (network.kind !== 'evm') return null;
  if (!methodNames.every((name) => MOST_CALLED.has(name))) return null;
  const credits = methodNames.length * creditsOf(network, { tier: 'standard' });
  return { kind: 'price', credits, costNanoUsd: costNanoUsd(credits, pricePerCreditNanoUsd) };
}
