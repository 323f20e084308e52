'use client';

import { costNanoUsd } from '@/lib/protocol/pricing';
import { dollarOfModels, useOfferedModels } from './offered-models';
import { usePricePerCredit } from './price';

const DOLLAR_NANO_USD = 1_000_000_000;
/** Of an ordinary call on most networks. */
const CALL_CREDITS = 20;

/** What a dollar buys of one kind; null where it is not offered, or free, or not known yet. */
export interface DollarBuys {
  what: string;
  /** Exactly: `wholeUnits` rounds what is shown. */
  perDollar: number | null;
  unit: string;
}

/** What a dollar buys at this gateway's prices: always the same four rows, so that places keep their size. */
export function useDollarBuys(): readonly DollarBuys[] {
  const price = usePricePerCredit();
  const { models } = useOfferedModels();
  const { chatTokens, speechMinutes, videoSeconds } = dollarOfModels(models ?? []);
  const callNanoUsd = costNanoUsd(CALL_CREDITS, price);
  return [
    { what: 'RPC', perDollar: callNanoUsd === 0 ? null : DOLLAR_NANO_USD / callNanoUsd, unit: 'calls' },
    { what: 'Chat', perDollar: chatTokens, unit: 'tokens' },
    { what: 'Speech', perDollar: speechMinutes, unit: 'minutes' },
    { what: 'Video', perDollar: videoSeconds, unit: 'seconds' },
  ];
}

/** How many whole units an amount of USD buys: rounded down, once. What floating point adds or takes in the last place makes no unit more or less. */
export function wholeUnits(perDollar: number, usd: number): number {
  return Math.floor(Number((perDollar * usd).toPrecision(14)));
}
