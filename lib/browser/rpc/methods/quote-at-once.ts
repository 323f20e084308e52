import type { Network } from '@/lib/protocol/networks';
import { costNanoUsd, creditsOf, type NanoUsd } from '@/lib/protocol/pricing';
import type { RequestQuote } from '../request-quote';

/** Most used EVM methods, all in the standard tier. `quote-at-once.test.ts` compares the list with the method table. */
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
 * Prices the most used methods on an EVM network without the method table.
 * @returns the result of `quoteRequest`; null if the table is needed
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
