'use client';

import { costNanoUsd, formatUsd, type NanoUsd, TIER_MULTIPLIER } from '@/lib/protocol/pricing';
import type { Tier } from '@/lib/protocol/rpc-methods';
import { formatCost } from '@/lib/browser/amounts';
import { CHARACTERS_PER_MINUTE, dollarOfModels, useOfferedModels } from '@/lib/browser/offered-models';
import { usePricePerCredit } from '@/lib/browser/price';
import { Section } from './section';

const DOLLAR_NANO_USD = 1_000_000_000;
const BASE_CREDITS = 20;
const ROWS: readonly { tier: Tier; example: string }[] = [
  { tier: 'standard', example: 'eth_call, eth_getLogs, eth_sendRawTransaction' },
  { tier: 'advanced', example: 'debug_traceTransaction, trace_block' },
  { tier: 'large', example: 'trace_replayTransaction, txpool_content' },
];

/** What one dollar buys at this gateway's price. */
export function DollarTable() {
  const price = usePricePerCredit();
  return (
    <Section title="What one dollar buys">
      <div className="overflow-x-auto rounded-md border border-line">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line text-left text-xs text-faint">
              <th className="px-3 py-2 font-normal">What</th>
              <th className="px-3 py-2 text-right font-normal">Price</th>
              <th className="px-3 py-2 text-right font-normal">For $1</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {ROWS.map(({ tier, example }) => (
              <TierRow key={tier} tier={tier} example={example} price={price} />
            ))}
            <ModelRows />
          </tbody>
        </table>
      </div>
      <p className="text-xs text-faint">At the price of <span className="figures">{formatCost(formatUsd(price, 9))}</span> a credit of this gateway, and 20 base credits, as on most networks; zkSync Era and Solana have 30. A call that ends in a JSON-RPC error costs 5 credits.</p>
    </Section>
  );
}

function TierRow({ tier, example, price }: { tier: Tier; example: string; price: NanoUsd }) {
  const cost = costNanoUsd(BASE_CREDITS * TIER_MULTIPLIER[tier], price);
  return (
    <tr>
      <td className="px-3 py-2">
        <span><span className="capitalize">{tier}</span> call</span>
        <span className="block text-xs wrap-anywhere text-faint">{example}</span>
      </td>
      <td className="figures px-3 py-2 text-right align-top">{formatCost(formatUsd(cost, 9))}</td>
      <td className="figures px-3 py-2 text-right align-top">{cost === 0 ? 'free' : `${Math.floor(DOLLAR_NANO_USD / cost).toLocaleString('en-US')} calls`}</td>
    </tr>
  );
}

/** What a dollar buys of the cheapest models; nothing while none is known. */
function ModelRows() {
  const { models } = useOfferedModels();
  const { chatTokens, speechMinutes, videoSeconds } = dollarOfModels(models ?? []);
  const rows = [
    { what: 'Chat', example: 'tokens of answers', amount: chatTokens, unit: 'tokens', per: 1_000_000, perUnit: 'M' },
    { what: 'Speech', example: `minutes of ${CHARACTERS_PER_MINUTE} characters`, amount: speechMinutes, unit: 'minutes', per: 1, perUnit: 'min' },
    { what: 'Video', example: 'seconds of the cheapest model', amount: videoSeconds, unit: 'seconds', per: 1, perUnit: 's' },
  ];
  return rows.map(({ what, example, amount, unit, per, perUnit }) =>
    amount === null || amount === 0 ? null : (
      <tr key={what}>
        <td className="px-3 py-2">
          {what}
          <span className="block text-xs wrap-anywhere text-faint">{example}</span>
        </td>
        <td className="figures px-3 py-2 text-right align-top">
          {formatCost((per / amount).toFixed(6))}/{perUnit}
        </td>
        <td className="figures px-3 py-2 text-right align-top">
          {amount.toLocaleString('en-US')} {unit}
        </td>
      </tr>
    ),
  );
}
