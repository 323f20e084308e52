import type { Network } from '@/lib/protocol/networks';
import { costNanoUsd, type NanoUsd } from '@/lib/protocol/pricing';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import { quoteRequest } from '../request-quote';
import { rpcQuoteWords } from '../../words/rpc-tools';

/** What sending a request to several networks will cost if every call succeeds, or why it is not sent. */
export type ComparisonQuote =
  | { kind: 'price'; credits: number; costNanoUsd: NanoUsd; creditsBySlug: ReadonlyMap<string, number> }
  | { kind: 'refused'; sentence: string };

/** Prices the methods on every network. What sends something is refused: it is meant for one network and must go out once. */
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
