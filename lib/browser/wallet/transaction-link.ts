import { callHref } from '@/lib/browser/page/console-pages';
import type { PayRail } from './pay-rails';

const EXPLORERS: Readonly<Record<string, { name: string; url: string }>> = {
  'eip155:1': { name: 'Etherscan', url: 'https://etherscan.io/tx/' },
  'eip155:10': { name: 'OP Mainnet Explorer', url: 'https://optimistic.etherscan.io/tx/' },
  'eip155:137': { name: 'PolygonScan', url: 'https://polygonscan.com/tx/' },
  'eip155:8453': { name: 'Basescan', url: 'https://basescan.org/tx/' },
  'eip155:42161': { name: 'Arbiscan', url: 'https://arbiscan.io/tx/' },
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': { name: 'Solana Explorer', url: 'https://explorer.solana.com/tx/' },
};

/** Returns a link to a transaction: in an explorer, or in this console for simulated and other chains. */
export function transactionLink(
  { family, rpcNetwork, isStandIn, network }: Pick<PayRail, 'family' | 'rpcNetwork' | 'isStandIn' | 'network'>,
  transaction: string,
): { name: string; href: string; isExternal: boolean } {
  const explorer = isStandIn ? undefined : EXPLORERS[network];
  if (explorer !== undefined) return { name: explorer.name, href: explorer.url + transaction, isExternal: true };
  const href =
    family === 'evm'
      ? callHref(rpcNetwork, 'eth_getTransactionReceipt', [transaction])
      : callHref(rpcNetwork, 'getTransaction', [
          transaction,
          { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 },
        ]);
  return { name: 'Look it up on the RPC page', href, isExternal: false };
}
