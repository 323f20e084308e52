'use client';

import { Notice } from '@/components/ui/notice';
import { formatCost } from '@/lib/browser/amounts';
import type { ChargeSums, Currency, PotMovement } from '@/lib/client';
import { CircleCheck } from 'lucide-react';

const NAMES: Record<Currency, string> = { DIEM: 'Daily allocation', BUNDLED_CREDITS: 'Bundled credits', USD: 'USD', X402: 'Prepaid by the wallet' };
const COLUMNS = ['opening', 'credited', 'charged', 'expired', 'closing'] as const;

/** How each pot came from its balance then to its balance now, and whether that adds up. */
export function Reconciliation({ sums: { totals }, isFiltered }: { sums: ChargeSums; isFiltered: boolean }) {
  const pots = Object.entries(totals.pots) as [Currency, PotMovement][];
  if (pots.length === 0) return null;
  return (
    <section aria-label="Reconciliation" className="grid gap-3">
      {totals.reconciles ? (
        <p className="flex items-start gap-2 text-sm">
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
          <span>
            The charges add up to the balance: what was there, plus what came in, less what was charged and what expired, is what is there now.
            {isFiltered && <span className="text-dim"> The pots count every charge of the period, whatever is filtered.</span>}
          </span>
        </p>
      ) : (
        <Notice tone="bad" title="The charges do not add up to the balance.">Tell the operator of this gateway: its ledger has to be checked.</Notice>
      )}
      <div className="overflow-x-auto rounded-md border border-line" tabIndex={0} role="group" aria-label="Movements of each pot">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line text-left text-xs text-faint">
              <th className="px-3 py-2 font-normal">Pot</th>
              {COLUMNS.map((column) => (
                <th key={column} className="px-3 py-2 text-right font-normal capitalize">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {pots.map(([currency, movement]) => (
              <tr key={currency}>
                <td className="px-3 py-2 whitespace-nowrap">{NAMES[currency]}</td>
                {COLUMNS.map((column) => (
                  <td key={column} className="figures px-3 py-2 text-right whitespace-nowrap">
                    {formatCost(movement[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
