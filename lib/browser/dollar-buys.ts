'use client';

import { costNanoUsd } from '@/lib/protocol/pricing';
import { dollarOfModels, useOfferedModels } from './offered-models';
import { usePricePerCredit } from './price';
import { billingWords } from './words/billing';

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
  const { rpc, chat, speech, video } = billingWords.buys;
  const callNanoUsd = costNanoUsd(CALL_CREDITS, price);
  return [
    { ...rpc, perDollar: callNanoUsd === 0 ? null : DOLLAR_NANO_USD / callNanoUsd },
    { ...chat, perDollar: chatTokens },
    { ...speech, perDollar: speechMinutes },
    { ...video, perDollar: videoSeconds },
  ];
}

/** How many whole units an amount of USD buys: rounded down, once. What floating point adds or takes in the last place makes no unit more or less. */
export function wholeUnits(perDollar: number, usd: number): number {
  return Math.floor(Number((perDollar * usd).toPrecision(14)));
}
