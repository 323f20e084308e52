'use client';

import { dollarOfModels, useOfferedModels } from '@/lib/browser/reads/offered-models';
import { usePricePerCredit } from '@/lib/browser/reads/price';
import { useGatewaySettings, useIsPageOffered } from '@/lib/browser/reads/settings';
import { formatCount } from '@/lib/browser/text/amounts';
import { costNanoUsd } from '@/lib/protocol/pricing';
import { PRODUCT_COLOURS } from './series-paint';
import { billingWords } from './words';

export function MoneyBuys({ usd, title }: { usd: number; title: string }) {
  const rows = useDollarBuys();
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <p className="text-xs text-faint">{title}</p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
        {rows.map(({ product, what, perDollar, unit }) => (
          <div key={what} className="min-w-0">
            <dt className="flex items-center gap-1.5 text-xs text-faint">
              <span aria-hidden className={`size-2 rounded-xs ${PRODUCT_COLOURS[product]}`} />
              {what}
            </dt>
            <dd className="figures truncate">
              {perDollar === null ? '–' : `${formatCount(wholeUnits(perDollar, usd))} ${unit}`}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const DOLLAR_NANO_USD = 1_000_000_000;

export interface DollarBuys {
  product: string;
  what: string;
  /** Units that a dollar buys, unrounded; null if the product is not offered or its price is zero or unknown. */
  perDollar: number | null;
  unit: string;
}

/** Returns rows for RPC, chat, speech and video, as far as the gateway offers them. */
function useDollarBuys(): readonly DollarBuys[] {
  const price = usePricePerCredit();
  const { models } = useOfferedModels();
  const { chatTokens, speechMinutes, videoSeconds } = dollarOfModels(models ?? []);
  const { rpc, chat, speech, video } = billingWords.buys;
  const callNanoUsd = costNanoUsd(useCheapestCall().credits, price);
  const isOffered = useIsPageOffered();
  const rows = [
    { ...rpc, product: 'rpc', perDollar: callNanoUsd === 0 ? null : DOLLAR_NANO_USD / callNanoUsd },
    { ...chat, product: 'chat', perDollar: chatTokens },
    { ...speech, product: 'speech', perDollar: speechMinutes },
    { ...video, product: 'video', perDollar: videoSeconds },
  ];
  return rows.filter(({ product }) => isOffered(`/${product}`));
}

/** Names of the chains with the most expensive calls, by the first part of the network slug. */
const DEAR_CHAINS: ReadonlyMap<string, string> = new Map([
  ['zksync', 'zkSync Era'],
  ['solana', 'Solana'],
]);

interface CheapestCall {
  credits: number;
  isSolana: boolean;
  /** Names of connected chains on which a call costs more than `credits`. */
  dear: readonly string[];
}

/** Returns the price of a call to the cheapest connected network. */
export function useCheapestCall(): CheapestCall {
  return cheapestCallOf(useGatewaySettings().data?.connectedNetworks ?? []);
}

export function cheapestCallOf(connected: readonly string[]): CheapestCall {
  const chains = connected.map((slug) => slug.split('-')[0] ?? '');
  const areAll = (holds: (chain: string) => boolean) => chains.length > 0 && chains.every(holds);
  const areAllDear = areAll((chain) => DEAR_CHAINS.has(chain));
  return {
    credits: areAllDear ? 30 : 20,
    dear: areAllDear ? [] : [...DEAR_CHAINS].filter(([chain]) => chains.includes(chain)).map(([, name]) => name),
    isSolana: areAll((chain) => chain === 'solana'),
  };
}

/**
 * Returns how many whole units an amount of USD buys, rounded down. Tolerates floating-point error in the last place.
 */
export function wholeUnits(perDollar: number, usd: number): number {
  return Math.floor(Number((perDollar * usd).toPrecision(14)));
}
