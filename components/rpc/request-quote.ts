import type { ChainKind, Network } from '@/lib/protocol/networks';
import { costNanoUsd, creditsOf, type NanoUsd } from '@/lib/protocol/pricing';
import { isRefusal, lookUpMethod, type Refusal, refusalSentence } from '@/lib/protocol/rpc-methods';
import { rpcQuoteWords } from './tool-words';

/** Price if all calls succeed, or the reason why the gateway will refuse the request without a charge. */
export type RequestQuote =
  | { kind: 'price'; credits: number; costNanoUsd: NanoUsd }
  | { kind: 'refused'; sentence: string };

/** Prices methods on a network at this gateway's price per credit (spec, "POST /crypto/rpc/{network}" rules 2 to 4). */
export function quoteRequest(
  network: Network,
  methodNames: readonly string[],
  pricePerCreditNanoUsd: NanoUsd,
): RequestQuote {
  const refusals: Refusal[] = [];
  const strangers = new Set<string>();
  let credits = 0;
  for (const name of methodNames) {
    const method = lookUpMethod(name);
    if (isRefusal(method)) refusals.push(method);
    else if (method.kind !== network.kind) strangers.add(method.name);
    else credits += creditsOf(network, method);
  }
  if (refusals.length > 0) return { kind: 'refused', sentence: refusalSentence(refusals) };
  if (strangers.size > 0) return { kind: 'refused', sentence: strangerSentence([...strangers], network) };
  return { kind: 'price', credits, costNanoUsd: costNanoUsd(credits, pricePerCreditNanoUsd) };
}

const FAMILY_NAMES: Record<ChainKind, string> = { evm: 'EVM', solana: 'Solana', starknet: 'Starknet' };

function strangerSentence(names: readonly string[], network: Network): string {
  return rpcQuoteWords.strangers(names, FAMILY_NAMES[network.kind], network.slug);
}
