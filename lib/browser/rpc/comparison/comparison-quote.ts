import type { Network } from '@/lib/protocol/networks';
import { costNanoUsd, type NanoUsd } from '@/lib/protocol/pricing';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import { quoteRequest } from '../request-quote';
import { rpcQuoteWords } from '../../words/rpc-tools';

/** Price of a request to several networks if every call succeeds, or the reason why the page does not send it. */
export type ComparisonQuote =
  | { kind: 'price'; credits: number; costNanoUsd: NanoUsd; creditsBySlug: ReadonlyMap<string, number> }
  | { kind: 'refused'; sentence: string };

/**
 * Prices the methods on every network. Refuses methods that send transactions, because a transaction must be sent only
 * once and to one network.
 */
export function quoteComparison(
  networks: readonly Network[],
  methodNames: readonly string[],
  pricePerCreditNanoUsd: NanoUsd,
): ComparisonQuote {
  const sends = methodNames.filter((name) => {
    const method = lookUpMethod(name);
    return !isRefusal(method) && method.sends;
  });
  if (sends.length > 0) return { kind: 'refused', sentence: rpcQuoteWords.sends([...new Set(sends)]) };
  const creditsBySlug = new Map<string, number>();
  let credits = 0;
  for (const network of networks) {
    const quote = quoteRequest(network, methodNames, pricePerCreditNanoUsd);
    if (quote.kind === 'refused') return quote;
    creditsBySlug.set(network.slug, quote.credits);
    credits += quote.credits;
  }
  return { kind: 'price', credits, costNanoUsd: costNanoUsd(credits, pricePerCreditNanoUsd), creditsBySlug };
}
