'use client';

import { costNanoUsd, formatUsd, type NanoUsd, TIER_MULTIPLIER } from '@/lib/protocol/pricing';
import type { Tier } from '@/lib/protocol/rpc-methods';
import { formatCost, formatCount } from '@/lib/browser/text/amounts';
import { useCheapestCall, wholeUnits } from '@/components/billing/money-buys';
import { CHARACTERS_PER_MINUTE, dollarOfModels, useOfferedModels } from '@/lib/browser/reads/offered-models';
import { usePricePerCredit } from '@/lib/browser/reads/price';
import { overviewLowerWords } from './lower-half-words';
import { Fragment, type ReactNode } from 'react';
import { Section } from './section';

const words = overviewLowerWords.dollar;

const DOLLAR_NANO_USD = 1_000_000_000;
const ROWS: readonly { tier: Tier; example: string }[] = [
  { tier: 'standard', example: 'eth_call, eth_getLogs' },
  { tier: 'advanced', example: 'trace_block, txpool_status' },
  { tier: 'large', example: 'txpool_content' },
];
const SOLANA_ROWS: typeof ROWS = [
  { tier: 'standard', example: 'getSlot, getBalance' },
  { tier: 'large', example: 'getSupply' },
];

const ROW = 'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:px-3 max-sm:py-2';
const WHAT = 'px-3 py-2 max-sm:row-span-2 max-sm:p-0';
const AMOUNT =
  'figures px-3 py-2 text-right align-top whitespace-nowrap max-sm:col-start-2 max-sm:row-start-1 max-sm:p-0';
const PRICE =
  'figures px-3 py-2 text-right align-top whitespace-nowrap max-sm:col-start-2 max-sm:row-start-2 max-sm:p-0 max-sm:text-xs max-sm:text-dim';

export function DollarTable() {
  const price = usePricePerCredit();
  const { credits, isSolana, dear } = useCheapestCall();
  return (
    <Section title={words.title}>
      <div className="overflow-x-auto rounded-md border border-line">
        <table className="w-full text-sm">
          <thead className="max-sm:sr-only">
            <tr className="border-b border-line text-left text-xs text-faint">
              <th className="px-3 py-2 font-normal">{words.what}</th>
              <th className="px-3 py-2 text-right font-normal">{words.price}</th>
              <th className="px-3 py-2 text-right font-normal">{words.forADollar}</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {(isSolana ? SOLANA_ROWS : ROWS).map(({ tier, example }) => (
              <TierRow key={tier} tier={tier} example={example} price={price} credits={credits} />
            ))}
            <ModelRows />
          </tbody>
        </table>
      </div>
      <p className="text-xs text-faint">{words.note(formatCost(formatUsd(price, 9)), credits, dear)}</p>
    </Section>
  );
}

function TierRow({ tier, example, price, credits }: { tier: Tier; example: string; price: NanoUsd; credits: number }) {
  const cost = costNanoUsd(credits * TIER_MULTIPLIER[tier], price);
  return (
    <tr className={ROW}>
      <td className={WHAT}>
        <span>{words.tiers[tier]}</span>
        <span className="block text-xs wrap-anywhere text-faint">{breakable(example)}</span>
      </td>
      <td className={PRICE}>{formatCost(formatUsd(cost, 9))}</td>
      <td className={AMOUNT}>{cost === 0 ? words.free : words.calls(Math.floor(DOLLAR_NANO_USD / cost))}</td>
    </tr>
  );
}

function breakable(names: string): ReactNode {
  return names.split(/(?<=_)/).map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}

function ModelRows() {
  const { models } = useOfferedModels();
  const { chatTokens, speechMinutes, videoSeconds } = dollarOfModels(models ?? []);
  const rows = [
    { ...words.chat, amount: chatTokens, per: 1_000_000 },
    { ...words.speech, example: words.speech.example(CHARACTERS_PER_MINUTE), amount: speechMinutes, per: 1 },
    { ...words.video, amount: videoSeconds, per: 1 },
  ];
  return rows.map(({ what, example, amount, unit, per, perUnit }) =>
    amount === null || wholeUnits(amount, 1) === 0 ? null : (
      <tr key={what} className={ROW}>
        <td className={WHAT}>
          {what}
          <span className="block text-xs wrap-anywhere text-faint">{breakable(example)}</span>
        </td>
        <td className={PRICE}>
          {formatCost((per / amount).toFixed(6))}/{perUnit}
        </td>
        <td className={AMOUNT}>
          {formatCount(wholeUnits(amount, 1))} {unit}
        </td>
      </tr>
    ),
  );
}
