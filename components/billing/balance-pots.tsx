'use client';

import { formatBalance } from '@/lib/browser/amounts';
import { useNow } from '@/lib/browser/clock';
import { formatCountdown } from '@/lib/browser/countdown';
import type { Balance } from '@/lib/client';
import { billingWords as words } from '@/lib/browser/words/billing';

/** Shows each part of the balance in spending order, and when the allocation refreshes. */
export function BalancePots({ balance }: { balance: Balance }) {
  const { balances, x402Usd, consumptionCurrency } = balance;
  const pots = [
    { currency: 'DIEM', name: words.pots.diem, usd: balances.diem },
    { currency: 'BUNDLED_CREDITS', name: words.pots.bundled, usd: balances.bundledCredits },
    { currency: 'USD', name: words.pots.usd, usd: balances.usd },
    ...(x402Usd === undefined ? [] : [{ currency: 'X402', name: words.pots.x402, usd: x402Usd }]),
  ];
  return (
    <div className="grid gap-3">
      <dl className="divide-y divide-line overflow-hidden rounded-md border border-line text-sm">
        {pots.map(({ currency, name, usd }) => (
          <div key={currency} className="flex items-center gap-3 px-3 py-2">
            <dt className="flex-1 text-dim">
              {name}
              {currency === consumptionCurrency && balance.canConsume && (
                <span className="ml-2 text-xs text-amber-ink">{words.nextCall}</span>
              )}
            </dt>
            <dd className="figures">{formatBalance(usd)}</dd>
          </div>
        ))}
      </dl>
      <AllocationLine balance={balance} />
    </div>
  );
}

export function AllocationLine({ balance: { diemEpochAllocation, diemEpochEndsAt } }: { balance: Balance }) {
  const leftMs = Date.parse(diemEpochEndsAt) - useNow(1000);
  return (
    <p className="text-xs text-dim">
      {diemEpochAllocation > 0 ? (
        <>
          {words.allocationIs} <span className="figures">{formatBalance(diemEpochAllocation)}</span>
          {words.isRenewed}
        </>
      ) : (
        words.noAllocation
      )}{' '}
      <span className="figures">{formatCountdown(leftMs)}</span>
      {words.atMidnight}
    </p>
  );
}
